package dev.stint.server.serve;

import dev.stint.server.config.Listener;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Tls;
import dev.stint.server.net.TlsFiles;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Finds certificates and keys that cannot be used, before a service is started with them. */
final class CertificateCheck {

  private CertificateCheck() {}

  /** A reading with its certificates checked as well; one with mistakes stays as it is. */
  static Reading of(Reading reading) {
    Reading checked = reading;
    if (reading.isGood()) {
      for (Map.Entry<String, Listener> entry :
          reading.configuration().listeners().byWire().entrySet()) {
        checked = check(checked, entry.getKey(), entry.getValue());
      }
    }
    return checked;
  }

  private static Reading check(Reading reading, String wire, Listener listener) {
    Tls tls = listener.tls();
    if (tls == null || !listener.isOn()) {
      return reading;
    }
    try {
      TlsFiles.read(tls);
      return reading;
    } catch (IllegalArgumentException e) {
      return reading.with("listeners." + wire + ".tls: " + e.getMessage());
    }
  }

  /** Sentences about certificates that can be used, but that clients will refuse. */
  static Set<String> warnings(Reading reading) {
    Set<String> warnings = new LinkedHashSet<>(); // listeners may share a certificate
    if (reading.isGood()) {
      for (Listener listener : reading.configuration().listeners().byWire().values()) {
        if (listener.tls() != null && listener.isOn()) {
          warnings.addAll(TlsFiles.read(listener.tls()).warnings(Instant.now()));
        }
      }
    }
    return warnings;
  }
}
