package dev.stint.redis;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to the servers: one server, or a cluster whose slots lie on several. */
interface Link extends AutoCloseable {

  /** Sends commands; null while there is no connection yet. */
  @Nullable BaseRedisAsyncCommands<byte[], byte[]> commands();

  /** Looks for the way. Done when it is open, or when the first attempt to connect has failed. */
  CompletableFuture<?> open();

  /** Why there is no connection yet. */
  String missing();

  /** Which servers are left alone, and why; empty if none is. Asks nobody. */
  Optional<String> trouble();

  /** The slot of a place; 0 where there are none. */
  int slot(byte[] place);

  /** The breaker of the server that has this slot. */
  Breaker breaker(int slot);

  /** Whether all places lie together, so that any questions may travel in one call. */
  boolean isOne();

  @Override
  void close();
}
