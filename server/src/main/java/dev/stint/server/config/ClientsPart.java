package dev.stint.server.config;

import dev.stint.server.config.Yaml.Entry;
import dev.stint.server.config.Yaml.Items;
import dev.stint.server.config.Yaml.Scalar;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@code clients}: a map of clients by name, or {@code everybody}. */
final class ClientsPart {

  private static final String EVERYBODY = "everybody";
  private static final String MAY = "may";
  private static final String EXAMPLE = "shop: {token-env: SHOP_TOKEN}";

  private ClientsPart() {}

  static Clients read(Context in, Yaml yaml) {
    if (yaml instanceof Scalar scalar && !scalar.isNothing()) {
      if (!scalar.text().equals(EVERYBODY)) {
        in.mistakes()
            .add(
                yaml.place(),
                "clients must be a map such as {" + EXAMPLE + "}, or the word everybody");
      }
      return Clients.everybody();
    }
    List<Entry> entries = Section.unique("clients", yaml, in.mistakes());
    if (entries.isEmpty() && yaml instanceof Yaml.Entries) {
      in.mistakes()
          .add(
              yaml.place(),
              "clients must have at least one client, such as "
                  + EXAMPLE
                  + "; to let everybody in, write clients: everybody");
    }
    Map<String, ClientSettings> clients = new LinkedHashMap<>();
    for (Entry entry : entries) {
      readClient(in, entry, clients);
    }
    return new Clients(clients, false);
  }

  private static void readClient(Context in, Entry entry, Map<String, ClientSettings> clients) {
    Names.check("the name of a client", entry.name(), in.mistakes());
    String name = entry.name().text();
    Section client =
        in.section(
            "client " + Quote.of(name),
            entry.value(),
            SecretPart.TOKEN,
            SecretPart.TOKEN_FILE,
            SecretPart.TOKEN_ENV,
            MAY);
    if (!SecretPart.isGiven(client) && entry.value() instanceof Yaml.Entries) {
      client.missing(SecretPart.TOKEN_ENV, "token-env: STINT_TOKEN");
    }
    Set<Permission> may = permissions(in, client);
    SecretPart.read(in, client)
        .ifPresent(
            token -> {
              if (clients.values().stream().anyMatch(other -> other.token().equals(token))) {
                client.wrong(
                    client.place(), "clients must have different tokens; give this one its own");
              }
              clients.put(name, new ClientSettings(token, may));
            });
  }

  /** One permission or a list of them. Changing counts has to be asked for. */
  private static Set<Permission> permissions(Context in, Section client) {
    Set<Permission> may = EnumSet.noneOf(Permission.class);
    Yaml given = client.find(MAY);
    if (given == null) {
      return EnumSet.of(Permission.DECIDE);
    }
    List<Yaml> each = given instanceof Items items ? items.all() : List.of(given);
    if (each.isEmpty()) {
      client.wrong(given.place(), "may must have at least one of decide, change");
    }
    for (Yaml one : each) {
      Section.read(MAY, one, in.mistakes(), text -> Scalars.choice(text, Words.PERMISSIONS))
          .ifPresent(may::add);
    }
    return may.isEmpty() ? EnumSet.of(Permission.DECIDE) : may;
  }
}
