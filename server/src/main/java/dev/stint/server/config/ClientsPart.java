package dev.stint.server.config;

import dev.stint.server.config.Yaml.Entry;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code clients}. */
final class ClientsPart {

  private ClientsPart() {}

  static Map<String, Secret> read(Context in, Yaml yaml) {
    Map<String, Secret> clients = new LinkedHashMap<>();
    for (Entry entry : Section.unique("clients", yaml, in.mistakes())) {
      Names.check("the name of a client", entry.name(), in.mistakes());
      String name = entry.name().text();
      Section client =
          in.section(
              "client " + Quote.of(name),
              entry.value(),
              SecretPart.TOKEN,
              SecretPart.TOKEN_FILE,
              SecretPart.TOKEN_ENV);
      if (!SecretPart.isGiven(client) && entry.value() instanceof Yaml.Entries) {
        client.missing(SecretPart.TOKEN_ENV, "token-env: STINT_TOKEN");
      }
      SecretPart.read(in, client)
          .ifPresent(
              token -> {
                if (clients.containsValue(token)) {
                  client.wrong(
                      client.place(), "clients must have different tokens; give this one its own");
                }
                clients.put(name, token);
              });
    }
    return Map.copyOf(clients);
  }
}
