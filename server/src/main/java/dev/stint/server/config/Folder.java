package dev.stint.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The YAML files of a directory. */
final class Folder {

  private static final int MOST = 1000;

  private Folder() {}

  /** In the order of their names; notes a mistake if there are none, or too many. */
  static List<Path> yamlIn(Path directory, Place named, Mistakes mistakes) {
    List<Path> files;
    try {
      files = list(directory);
    } catch (IOException e) {
      mistakes.add(named, Quote.of(directory.toString()) + " must be readable, and was not");
      return List.of();
    }
    if (files.isEmpty() || files.size() > MOST) {
      mistakes.add(
          named,
          Quote.of(directory.toString())
              + (" must have 1 to " + MOST + " files *.yaml or *.yml, had " + files.size()));
      return List.of();
    }
    return files;
  }

  /** Without those that begin with a dot: a ConfigMap keeps its older self in such ones. */
  static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> isYaml(String.valueOf(path.getFileName())))
          .filter(path -> !Files.isDirectory(path))
          .sorted()
          .toList();
    }
  }

  private static boolean isYaml(String name) {
    return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }
}
