package dev.stint.server.attack;

import dev.stint.server.ordeal.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a service under attack: the defaults, with names as long as may be.
 *
 * @param file where it is
 * @param token what clients must show; null for everybody
 * @param tls what clients encrypt with; null for nothing
 */
record AttackedConfiguration(Path file, @Nullable String token, @Nullable SSLContext tls) {

  /** A domain with long names, and a rule whose metric has the values of requests in it. */
  static final String DOMAIN = "d".repeat(500);

  private static final String TOKEN = "a-token-that-nobody-guesses";

  /** Which of the wires' protections are on. */
  enum Kind {
    OPEN,
    TOKENS,
    TLS
  }

  static AttackedConfiguration write(Path folder, Kind kind, String bounds) throws Exception {
    StringBuilder yaml = new StringBuilder();
    SSLContext tls = null;
    String encryption = "";
    if (kind == Kind.TLS) {
      Certificates certificates = Certificates.make(folder, "attacked");
      certificates.write(folder.resolve("server.pem"), folder.resolve("server-key.pem"));
      tls = Certificates.client(List.of(), List.of(certificates));
      encryption = ", tls: {certificate: server.pem, key: server-key.pem}";
    }
    boolean tokens = kind == Kind.TOKENS;
    yaml.append("listeners:\n");
    for (String wire : List.of("http", "grpc", "resp", "admin")) {
      yaml.append("  ").append(wire).append(": {address: 127.0.0.1, port: 0").append(encryption);
      yaml.append(wire.equals("admin") && tokens ? ", token: " + TOKEN : "").append("}\n");
    }
    if (tokens) {
      yaml.append("clients:\n  polite: {token: ").append(TOKEN).append("}\n");
    }
    yaml.append("bounds: ").append(bounds).append("\n");
    yaml.append("policies:\n  api: {limits: 1000000000/day fixed-window}\n");
    for (int i = 0; i < 50; i++) {
      yaml.append("  ").append(name(i, 64)).append(": 1/day; 1/hour\n");
    }
    yaml.append(
        """
        rls:
          domains:
            - domain: web
              descriptors:
                - key: user
                  rate_limit: {unit: day, requests_per_unit: 4000000000}
        """);
    yaml.append("    - domain: ").append(DOMAIN).append("\n      descriptors:\n");
    yaml.append(
        """
                - key: detailed
                  detailed_metric: true
                  rate_limit: {unit: day, requests_per_unit: 4000000000}
        """);
    for (int i = 0; i < 50; i++) {
      yaml.append("        - key: ").append(name(i, 500)).append('\n');
      yaml.append("          rate_limit: {unit: day, requests_per_unit: 1}\n");
    }
    Path file = Files.writeString(folder.resolve("stint.yaml"), yaml);
    return new AttackedConfiguration(file, tokens ? TOKEN : null, tls);
  }

  private static String name(int number, int length) {
    String digits = "p" + number;
    return digits + "n".repeat(length - digits.length());
  }
}
