package dev.stint.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code stint.yaml}, strictly: whatever it does not know is a mistake, and every mistake is
 * told with its place. In place of the file there may be a directory that has it, and in place of
 * both one file or a directory of Envoy's public format.
 */
public final class ConfigFile {

  /** What the file is called in a directory. */
  public static final String NAME = "stint.yaml";

  private static final String RLS = "rls";
  private static final String RLS_DOMAINS = "rls.domains";

  private final Context in;

  private ConfigFile(Context in) {
    this.in = in;
  }

  /** What is in a file, right or wrong, with secrets from this environment. */
  public static Reading read(Path path, Map<String, String> environment) {
    boolean isFolder = Files.isDirectory(path);
    Path inside = path.resolve(NAME);
    boolean ofEnvoy = isFolder && !Files.exists(inside);
    Context in = Context.of(isFolder && !ofEnvoy ? inside : path, environment);
    if (isFolder) {
      in.sources().add(path); // the file may yet come or go
    }
    ConfigFile file = new ConfigFile(in);
    if (!ofEnvoy) {
      return file.readFile();
    }
    RlsSettings domains = RlsPart.ofDirectory(in, path);
    return file.reading(Configuration.standard().withRls(domains), Set.of(RLS, RLS_DOMAINS));
  }

  /** The files of a directory that are read if the directory is named. */
  public static List<Path> filesIn(Path directory) throws IOException {
    return Folder.list(directory);
  }

  private Reading readFile() {
    in.sources().add(in.file());
    String name = in.file().toString();
    try {
      Optional<Yaml> yaml = YamlReader.read(name, TextFile.read(in.file()), in.mistakes());
      boolean isEmpty = yaml.isEmpty() || isNothing(yaml.get());
      return isEmpty
          ? reading(Configuration.standard(), Set.of())
          : reading(bind(yaml.get()), keysOf(yaml.get()));
    } catch (TextFile.Unreadable e) {
      in.mistakes().add(e.place(), String.valueOf(e.getMessage()));
      return reading(Configuration.standard(), Set.of());
    }
  }

  private static boolean isNothing(Yaml yaml) {
    return yaml instanceof Yaml.Scalar scalar && scalar.isNothing();
  }

  private static Set<String> keysOf(Yaml yaml) {
    if (RlsPart.isEnvoys(yaml)) {
      return Set.of(RLS, RLS_DOMAINS);
    }
    Set<String> keys = new LinkedHashSet<>();
    if (yaml instanceof Yaml.Entries file) {
      for (Yaml.Entry entry : file.all()) {
        String key = entry.name().text();
        keys.add(key);
        if (key.equals(RLS) && entry.value() instanceof Yaml.Entries rls) {
          rls.all().forEach(inner -> keys.add(RLS + "." + inner.name().text()));
        }
      }
    }
    return keys;
  }

  private Reading reading(Configuration configuration, Set<String> keys) {
    return new Reading(
        in.file(), configuration, in.mistakes().all(), Set.copyOf(in.sources()), Set.copyOf(keys));
  }

  private Configuration bind(Yaml yaml) {
    Configuration usual = Configuration.standard().withBounds(Bounds.in(in.environment()));
    if (RlsPart.isEnvoys(yaml)) {
      return usual.withRls(RlsPart.ofFile(in, yaml));
    }
    Section file =
        in.section(
            "the file",
            yaml,
            "store",
            "listeners",
            "clients",
            "policies",
            "rate-limiter",
            RLS,
            "bounds",
            "telemetry");
    return new Configuration(
        part(file, "store", StorePart::read, usual.store()),
        part(file, "listeners", ListenersPart::read, usual.listeners()),
        PoliciesPart.read(in, file),
        part(file, RLS, RlsPart::read, usual.rls()),
        part(file, "clients", ClientsPart::read, usual.clients()),
        part(file, "bounds", BoundsPart::read, usual.bounds()),
        part(file, "telemetry", TelemetryPart::read, usual.telemetry()));
  }

  private interface Part<T> {
    T read(Context in, Yaml yaml);
  }

  private <T> T part(Section file, String name, Part<T> part, T otherwise) {
    Yaml yaml = file.find(name);
    return yaml == null ? otherwise : part.read(in, yaml);
  }
}
