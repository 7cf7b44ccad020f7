package dev.stint.server.config;

import java.net.URI;
import java.net.URISyntaxException;

/** Reads {@code telemetry}. */
final class TelemetryPart {

  private TelemetryPart() {}

  static Telemetry read(Context in, Yaml yaml) {
    Telemetry usual = Telemetry.standard();
    Section telemetry =
        in.section(
            "telemetry",
            yaml,
            "top-keys",
            "hash-top-keys",
            "logs",
            "traces",
            "near-limit",
            "stack-traces");
    return new Telemetry(
        telemetry.number("top-keys", usual.topKeys(), 0, 10_000),
        telemetry.flag("hash-top-keys", usual.hashTopKeys()),
        telemetry.choice("logs", Words.LOGS).orElse(usual.jsonLogs()),
        telemetry.read("traces", TelemetryPart::url).or(usual::traces),
        telemetry.read("near-limit", TelemetryPart::share).orElse(usual.nearLimit()),
        telemetry.flag("stack-traces", usual.stackTraces()));
  }

  private static double share(String text) {
    if (text.matches("0(\\.[0-9]{1,6})?|1(\\.0{1,6})?")) {
      return Double.parseDouble(text);
    }
    throw Scalars.wrong("must be a number from 0 to 1, such as 0.8", text, "");
  }

  /** An address, of which a wrong one is not shown: it may hold a password. */
  private static String url(String text) {
    try {
      URI uri = new URI(text);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null; // a path is added
      if (http && uri.getHost() != null && uri.getPort() <= 65_535 && plain) {
        return text;
      }
    } catch (URISyntaxException e) {
      // told below, without the text that its message would show
    }
    throw new IllegalArgumentException(
        "must be an address such as http://localhost:4318, and this one is not");
  }
}
