package dev.stint.server.config;

import java.util.Set;

/**
 * A client of the service.
 *
 * @param token what it proves itself with
 * @param may what it is allowed to do
 */
public record ClientSettings(Secret token, Set<Permission> may) {

  public ClientSettings {
    may = Set.copyOf(may);
    if (may.isEmpty()) {
      throw new IllegalArgumentException("may must have at least one permission");
    }
  }

  /** A client that may ask for decisions, and nothing more: the default. */
  public static ClientSettings deciding(Secret token) {
    return new ClientSettings(token, Set.of(Permission.DECIDE));
  }

  /** A client that may do everything. */
  public static ClientSettings changing(Secret token) {
    return new ClientSettings(token, Set.of(Permission.values()));
  }
}
