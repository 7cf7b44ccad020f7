package dev.stint.server.config;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the parts of a file are read with.
 *
 * @param file the file they are in, against which relative paths are resolved
 * @param environment where secrets may be
 * @param sources all files and directories that were looked at, whether they exist or not
 */
record Context(Path file, Map<String, String> environment, Mistakes mistakes, Set<Path> sources) {

  static Context of(Path file, Map<String, String> environment) {
    return new Context(file, environment, new Mistakes(), new LinkedHashSet<>());
  }

  Context in(Path other) {
    return new Context(other, environment, mistakes, sources);
  }

  Path resolve(String path) {
    return file.resolveSibling(path);
  }

  /** A file of the user's choice by its path. */
  Section.Reader<Path> path() {
    return text -> {
      if (text.isEmpty() || text.indexOf('\0') >= 0) {
        throw Scalars.wrong("must be the path of a file", text, "");
      }
      return resolve(text);
    };
  }

  Section section(String what, Yaml yaml, String... names) {
    return Section.of(what, yaml, mistakes, List.of(names));
  }
}
