package dev.stint.redis;

import dev.stint.TimeSource;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import dev.stint.lab.SentinelSet;
import java.time.Duration;

/** Servers that tests share, started when first asked for and ended with this process. */
public final class Servers {

  private Servers() {}

  private static final class One {
    static final RedisServer SERVER = RedisServer.start();
  }

  private static final class Slots {
    static final RedisCluster CLUSTER = RedisCluster.start();
  }

  private static final class Watched {
    static final SentinelSet SET = SentinelSet.start();
  }

  public static RedisServer redis() {
    return One.SERVER;
  }

  public static RedisCluster cluster() {
    return Slots.CLUSTER;
  }

  public static SentinelSet sentinels() {
    return Watched.SET;
  }

  /** As {@link #patient(String, TimeSource)}, by the server's own time. */
  public static RedisStore patient(String uri) {
    return patientBuilder(uri).build();
  }

  /** A store for tests of what is decided, not of how fast: a busy machine must not matter. */
  public static RedisStore patient(String uri, TimeSource time) {
    return patientBuilder(uri).time(time).build();
  }

  /** As {@link #patient(String, TimeSource)}, called by script even where there are functions. */
  public static RedisStore byScript(String uri, TimeSource time) {
    return patientBuilder(uri).time(time).functions(false).build();
  }

  static RedisStore.Builder patientBuilder(String uri) {
    Duration patience = Duration.ofSeconds(20);
    return RedisStore.builder(uri).deadline(patience).connectTimeout(patience);
  }
}
