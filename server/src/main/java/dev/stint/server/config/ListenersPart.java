package dev.stint.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code listeners}. */
final class ListenersPart {

  private static final String ADMIN = "admin";
  private static final String METRICS = "metrics";

  private ListenersPart() {}

  static Listeners read(Context in, Yaml yaml) {
    Listeners usual = Listeners.standard();
    Section section = in.section("listeners", yaml, "http", "grpc", "resp", ADMIN, METRICS);
    Listeners read =
        new Listeners(
            listener(in, section, "http", usual.http()),
            listener(in, section, "grpc", usual.grpc()),
            listener(in, section, "resp", usual.resp()),
            listener(in, section, ADMIN, usual.admin()),
            listener(in, section, METRICS, usual.metrics()));
    for (Listeners.Trouble trouble : read.troubles()) {
      section.wrong(trouble.wire(), trouble.sentence());
    }
    return read;
  }

  private static Listener listener(Context in, Section section, String name, Listener usual) {
    Yaml yaml = section.find(name);
    if (yaml == null) {
      return usual;
    }
    if (yaml instanceof Yaml.Scalar) {
      return section.read(name, text -> ListenerText.read(text, usual)).orElse(usual);
    }
    List<String> words = new ArrayList<>(List.of("address", "port", "tls"));
    if (name.equals(ADMIN) || name.equals(METRICS)) { // all others ask for the clients' tokens
      words.addAll(List.of(SecretPart.TOKEN, SecretPart.TOKEN_FILE, SecretPart.TOKEN_ENV));
    }
    Section listener = in.section(name, yaml, words.toArray(String[]::new));
    Yaml tls = listener.find("tls");
    return new Listener(
        listener.read("address", ListenerText::address).orElse(usual.host()),
        listener.number("port", usual.port(), 0, 65_535),
        tls == null ? null : tls(in, tls),
        SecretPart.read(in, listener).orElse(null));
  }

  private static @Nullable Tls tls(Context in, Yaml yaml) {
    Section tls = in.section("tls", yaml, "certificate", "key", "client-ca");
    if (yaml instanceof Yaml.Entries) {
      for (String word : List.of("certificate", "key")) {
        if (!tls.has(word)) {
          tls.missing(word, word + ": /etc/stint/" + word + ".pem");
        }
      }
    }
    Optional<Path> certificate = pem(in, tls, "certificate", "CERTIFICATE-----");
    Optional<Path> key = pem(in, tls, "key", "PRIVATE KEY-----");
    Path signers = pem(in, tls, "client-ca", "CERTIFICATE-----").orElse(null);
    return certificate.isPresent() && key.isPresent()
        ? new Tls(certificate.get(), key.get(), signers)
        : null;
  }

  private static Optional<Path> pem(Context in, Section tls, String name, String holds) {
    return tls.read(
        name,
        text -> {
          Path path = in.path().read(text);
          in.sources().add(path);
          try {
            if (TextFile.read(path).contains(holds)) {
              return path;
            }
          } catch (TextFile.Unreadable e) {
            throw new IllegalArgumentException(Quote.of(path.toString()) + " " + e.getMessage(), e);
          }
          throw Scalars.wrong(
              "must be a PEM file with a line '-----BEGIN " + holds + "'", path.toString(), "");
        });
  }
}
