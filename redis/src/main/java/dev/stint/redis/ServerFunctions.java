package dev.stint.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one server is called by function or by script, and the loading of the function's library.
 *
 * <p>A server sets up a library once and a script for each call, so functions are faster. Calls go
 * by function until the server answers that it does not have the function or does not let us call
 * it. It says so before it runs anything, so the call may be sent again, by script. A missing
 * library is loaded at the same time; no decision waits for that.
 *
 * <p>Nothing is remembered of what a server has: after {@code FUNCTION FLUSH}, a restart or a
 * failover the next call finds out.
 */
final class ServerFunctions {

  /** How long calls go by script: while a library is loaded, in trouble, and if it is forbidden. */
  private static final long LOADING = TimeUnit.SECONDS.toNanos(5);

  private static final long TROUBLE = TimeUnit.SECONDS.toNanos(1);
  private static final long FORBIDDEN = TimeUnit.MINUTES.toNanos(10);

  /**
   * With these a server refuses functions altogether, and of a script only the writes. So they are
   * never errors of a function that has run: it answers errors of its writes as part of its reply.
   */
  private static final Set<String> UNWRITABLE =
      Set.of("OOM", "READONLY", "MISCONF", "NOREPLICAS", "MASTERDOWN");

  /** With these a server may take a library later that it does not take now. */
  private static final Set<String> PASSING =
      Set.of("LOADING", "BUSY", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN");

  private final boolean enabled;
  private final Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> server;
  private final Complaints complaints;
  private volatile long usableFrom = System.nanoTime();

  /**
   * The functions of one server.
   *
   * @param enabled whether to use functions at all
   * @param server a connection to this very server: a library is loaded into one server, not into a
   *     cluster
   */
  ServerFunctions(
      boolean enabled,
      Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> server,
      Complaints complaints) {
    this.enabled = enabled;
    this.server = server;
    this.complaints = complaints;
  }

  /** Whether the next call should go by function. */
  boolean areUsable() {
    return enabled && System.nanoTime() - usableFrom >= 0;
  }

  /**
   * Whether a call by function that failed so was not run, and may be sent by script. Loads the
   * library if that is what was missing.
   */
  boolean wereRefused(@Nullable Throwable failure, Scripts.Library library) {
    if (!(failure instanceof RedisCommandExecutionException)) {
      return false;
    }
    String error = StoreFailure.reason(failure);
    if (error.startsWith("ERR Function not found")) {
      load(library);
    } else if (isForbidden(error)) {
      forbidden(error);
    } else if (UNWRITABLE.contains(code(error))) {
      boolean unused = pause(TROUBLE);
    } else {
      return false;
    }
    return true;
  }

  /** Old servers do not know the command; a user may not be allowed it. */
  private static boolean isForbidden(String error) {
    String text = error.toLowerCase(Locale.ROOT);
    return text.contains("fcall")
        && (text.startsWith("noperm")
            || text.startsWith("err unknown command")
            || text.startsWith("err unsupported command"));
  }

  private static String code(String error) {
    int end = error.indexOf(' ');
    return end < 0 ? error : error.substring(0, end);
  }

  private void load(Scripts.Library library) {
    if (!pause(LOADING)) {
      return; // it is being loaded already
    }
    try {
      CompletionStage<?> unused =
          server
              .get()
              .thenCompose(connection -> load(connection, library))
              .whenComplete((name, failure) -> loaded(failure));
    } catch (Throwable e) {
      loaded(e);
    }
  }

  private static CompletionStage<byte[]> load(
      StatefulRedisConnection<byte[], byte[]> connection, Scripts.Library library) {
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(ByteArrayCodec.INSTANCE)
            .add("LOAD")
            .add(library.source().getBytes(StandardCharsets.UTF_8));
    return connection
        .async()
        .dispatch(CommandType.FUNCTION, new ValueOutput<>(ByteArrayCodec.INSTANCE), args);
  }

  private void loaded(@Nullable Throwable failure) {
    Throwable cause = failure == null ? null : StoreFailure.unwrap(failure);
    String error = cause == null ? "" : StoreFailure.reason(cause);
    // A library of this name has these very bytes, whichever instance loaded it: see its hash.
    if (cause == null || error.contains("already exists")) {
      usableFrom = System.nanoTime();
    } else if (cause instanceof RedisCommandExecutionException
        && !UNWRITABLE.contains(code(error))
        && !PASSING.contains(code(error))) {
      forbidden(error);
    } else {
      usableFrom = System.nanoTime() + TROUBLE;
    }
  }

  private void forbidden(String error) {
    usableFrom = System.nanoTime() + FORBIDDEN;
    complaints.withoutFunctions(error);
  }

  /** Has calls go by script for a while; returns whether they did not before. */
  private synchronized boolean pause(long nanos) {
    long now = System.nanoTime();
    if (now - usableFrom < 0) {
      return false;
    }
    usableFrom = now + nanos;
    return true;
  }
}
