package dev.stint.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code rls}: domains of Envoy's service, here or in files of their public format. */
final class RlsPart {

  private static final String DOMAIN = "domain";
  private static final String DESCRIPTORS = "descriptors";
  private static final String COUNT_DENIED = "count_denied";

  private final boolean countDenied;
  private final Map<String, List<RlsSettings.Node>> domains = new LinkedHashMap<>();
  private final Set<String> uncounting = new HashSet<>();
  private final Map<String, Place> places = new HashMap<>();

  private RlsPart(boolean countDenied) {
    this.countDenied = countDenied;
  }

  static RlsSettings read(Context in, Yaml yaml) {
    Section rls = in.section("rls", yaml, "deadline", "count-denied", "files", "domains");
    RlsPart part = new RlsPart(rls.flag("count-denied", true));
    Duration usual = RlsSettings.none().deadline();
    Duration deadline =
        rls.duration("deadline", usual, Duration.ofMillis(1), Duration.ofSeconds(10));
    for (Yaml domain : rls.items("domains")) {
      part.readDomain(in, domain);
    }
    for (Yaml file : rls.items("files")) {
      Section.read("files", file, in.mistakes(), in.path())
          .ifPresent(path -> part.readPath(in, path, file.place()));
    }
    return new RlsSettings(deadline, part.domains, part.uncounting);
  }

  /** Whether a file is of Envoy's format. */
  static boolean isEnvoys(Yaml yaml) {
    return yaml instanceof Yaml.Entries map
        && map.all().stream().anyMatch(entry -> entry.name().text().equals(DOMAIN));
  }

  /** The domain of a file of Envoy's format. */
  static RlsSettings ofFile(Context in, Yaml yaml) {
    RlsPart part = new RlsPart(true);
    part.readDomain(in, yaml);
    return new RlsSettings(RlsSettings.none().deadline(), part.domains, part.uncounting);
  }

  /** The domains of all files in a directory. */
  static RlsSettings ofDirectory(Context in, Path directory) {
    RlsPart part = new RlsPart(true);
    part.readPath(in, directory, Place.ofFile(directory.toString()));
    return new RlsSettings(RlsSettings.none().deadline(), part.domains, part.uncounting);
  }

  private void readPath(Context in, Path path, Place named) {
    in.sources().add(path);
    if (!Files.isDirectory(path)) {
      readFile(in, path, named);
      return;
    }
    List<Path> files = Folder.yamlIn(path, named, in.mistakes());
    for (Path file : files) {
      in.sources().add(file);
      readFile(in, file, named);
    }
  }

  private void readFile(Context in, Path path, Place named) {
    in.mistakes().open(path.toString());
    try {
      String text = TextFile.read(path);
      Optional<Yaml> yaml = YamlReader.read(path.toString(), text, in.mistakes());
      yaml.ifPresent(domain -> readDomain(in.in(path), domain));
    } catch (TextFile.Unreadable e) {
      boolean whole = e.place().line() == 0; // then the line that names the file tells more
      in.mistakes()
          .add(
              whole ? named : e.place(),
              (whole ? Quote.of(path.toString()) + " " : "") + e.getMessage());
    }
  }

  private void readDomain(Context in, Yaml yaml) {
    Section section = in.section("a domain", yaml, DOMAIN, COUNT_DENIED, DESCRIPTORS);
    if (!(yaml instanceof Yaml.Entries)) {
      return;
    }
    Yaml named = section.find(DOMAIN);
    String name = "";
    if (named == null) {
      section.missing(DOMAIN, "domain: mongo_cps");
    } else {
      name = section.read(DOMAIN, RlsPart::notEmpty).orElse("");
    }
    boolean counting = section.flag(COUNT_DENIED, countDenied);
    List<RlsSettings.Node> nodes = DescriptorsPart.read(in, section.items(DESCRIPTORS), counting);
    if (name.isEmpty() || named == null) {
      return;
    }
    Place before = places.putIfAbsent(name, named.place());
    if (before != null) {
      section.wrong(
          named.place(),
          "a domain must be given once, and " + Quote.of(name) + " is at " + before + " too");
    }
    domains.put(name, nodes);
    if (!counting) {
      uncounting.add(name);
    }
  }

  private static String notEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty; give the domain a name");
    }
    return text;
  }
}
