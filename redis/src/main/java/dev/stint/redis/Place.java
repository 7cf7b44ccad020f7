package dev.stint.redis;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import org.jspecify.annotations.Nullable;

/** Where a limit on a key is counted, whatever its amount. */
record Place(String identity, Key key, @Nullable String tag) {

  static Place of(KeyedLimit limit) {
    return new Place(limit.limit().identity(), limit.key(), limit.tag());
  }

  /** The same, for longer than a call: bytes belong to the caller, who may use them again. */
  Place toKeep() {
    return key.value() instanceof byte[] bytes
        ? new Place(identity, Key.of(bytes.clone()), tag)
        : this;
  }
}
