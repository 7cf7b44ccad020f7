package dev.stint.benchmarks;

import dev.stint.lab.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The server that all contestants use, and what it says of itself. */
final class RedisUnderTest implements AutoCloseable {

  private static final int QUIET = 5;
  private static final int PATIENCE = 100;

  private final @Nullable RedisServer own;
  private final String uri;
  private final RedisClient client;
  private final RedisCommands<String, String> commands;

  private RedisUnderTest(@Nullable RedisServer own, String uri) {
    this.own = own;
    this.uri = uri;
    client = RedisClient.create(uri);
    commands = client.connect().sync();
  }

  /** Starts a server for this run. */
  static RedisUnderTest start() {
    RedisServer server = RedisServer.start();
    return new RedisUnderTest(server, server.uri());
  }

  /** Uses a server that is there; it must be empty, because it is emptied again and again. */
  static RedisUnderTest at(String uri) {
    RedisUnderTest redis = new RedisUnderTest(null, uri);
    long keys = redis.keys();
    if (keys > 0) {
      redis.close();
      throw new IllegalArgumentException(
          "the Redis must be empty, because the benchmarks empty it: it has %d keys"
              .formatted(keys));
    }
    return redis;
  }

  String uri() {
    return uri;
  }

  /** Its name, version and allocator, which decides what a key takes. */
  String description() {
    String info = commands.info("server");
    String version =
        info.contains("valkey_version:")
            ? "Valkey " + text(info, "valkey_version")
            : "Redis " + text(info, "redis_version");
    return version + ", allocator " + text(commands.info("memory"), "mem_allocator");
  }

  CommandStats stats() {
    return CommandStats.parse(commands.info("commandstats"));
  }

  long keys() {
    return commands.dbsize();
  }

  /** How many names hold this text. */
  long keys(String text) {
    return commands.keys("*" + text + "*").size();
  }

  void empty() {
    commands.flushdb();
  }

  /** The bytes in use, once they have come to rest: tables that grow exist twice for a while. */
  long bytes() throws InterruptedException {
    long last = -1;
    int same = 0;
    for (int i = 0; i < PATIENCE && same < QUIET; i++) {
      Thread.sleep(50);
      long now = Long.parseLong(text(commands.info("memory"), "used_memory"));
      same = now == last ? same + 1 : 0;
      last = now;
    }
    return last;
  }

  /** MEMORY USAGE of all that lies under names that hold this text. */
  long usage(String text) {
    List<String> names = commands.keys("*" + text + "*");
    long bytes = 0;
    for (String name : names) {
      bytes += commands.memoryUsage(name);
    }
    return bytes;
  }

  /** A field of an answer to INFO. */
  static String text(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + Pattern.quote(name) + ":(\\S+)").matcher(info);
    if (!line.find()) {
      throw new IllegalArgumentException("INFO must have the field " + name + ": " + info);
    }
    return line.group(1);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    if (own != null) {
      own.close();
    }
  }
}
