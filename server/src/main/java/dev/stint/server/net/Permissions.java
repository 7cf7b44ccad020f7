package dev.stint.server.net;

import dev.stint.server.config.Permission;
import org.jspecify.annotations.Nullable;

/** What the sender of one request may do. */
public interface Permissions {

  /** Those of a sender that may do everything. */
  static Permissions all() {
    return wanted -> null;
  }

  /** Why it may not do this; null if it may. */
  Caller.@Nullable Denial denial(Permission wanted);
}
