package dev.stint.redis;

import dev.stint.StoreException;
import java.util.concurrent.CompletableFuture;

/** A server that is called by script. */
final class NoFunctions {

  static final ServerFunctions AT_ALL =
      new ServerFunctions(
          false,
          () -> CompletableFuture.failedFuture(new StoreException("there is no server")),
          new Complaints());

  private NoFunctions() {}
}
