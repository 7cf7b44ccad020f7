package dev.stint.memory;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.List;

/**
 * Uses every class of the store once, before the first caller does.
 *
 * <p>A class whose initializer fails cannot be used again for as long as the process lives. A first
 * call close to the end of its stack, or in a moment without memory, must not do that to the store.
 */
final class WarmUp {

  static {
    Duration minute = Duration.ofMinutes(1);
    List<Limit> limits =
        List.of(
            Limit.tokenBucket(7, minute),
            Limit.fixedWindow(1 << 20, minute),
            Limit.slidingCounter(5, minute),
            Limit.slidingLog(5, minute),
            Limit.quota(5));
    try (MemoryStore store =
        new MemoryStore(MemoryStore.builder().cleanPeriod(Duration.ZERO).maxKeys(3))) {
      Key key = Key.of("key");
      for (Limit limit : limits) {
        for (Operation operation : Operation.values()) {
          if (operation == Operation.UNDO) {
            store.run(operation, store.run(Operation.HIT, limit, key, 1).charges());
          } else if (operation != Operation.SET || store.keys() < store.maxKeys()) {
            store.run(operation, limit, key, 1);
          }
        }
      }
      List<KeyedLimit> all = limits.stream().map(limit -> limit.on("other").cost(2)).toList();
      store.run(Operation.HIT, all).toString();
      store.run(Operation.HIT, all).limits().forEach(Object::toString);
      store.clean();
    }
  }

  private WarmUp() {}

  /** Returns when everything has been used. */
  static void ensure() {}
}
