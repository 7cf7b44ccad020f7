package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.serve.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to Redis, at 2,000 requests a second every one gets an answer, in time, on every
 * wire; and exact ones again soon after Redis is back.
 */
@Tag("redis")
class RedisTroubleTest {

  private static final int PER_SECOND_AND_WIRE = 667;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration AWAY = Duration.ofMillis(1500);
  private static final Duration BACK = Duration.ofSeconds(1);
  private static final Duration NEVER_BACK = Duration.ofSeconds(20);
  private static final Map<String, Duration> MOST =
      Map.of(
          "http", Duration.ofMillis(30), "resp", Duration.ofMillis(30), "rls", Duration.ofMillis(20));

  @TempDir Path folder;

  @Test
  void a_redis_that_is_killed() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Ordeal ordeal = new Ordeal("killed", redis.uri())) {
      ordeal.suffer(redis::kill, redis::restart);
      ordeal.judge();
    }
  }

  @Test
  void a_redis_that_is_stopped() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Ordeal ordeal = new Ordeal("stopped", redis.uri())) {
      ordeal.suffer(redis::stop, redis::cont);
      ordeal.judge();
    }
  }

  @Test
  void a_redis_that_is_slow() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port());
        Ordeal ordeal = new Ordeal("slow", proxy.uri())) {
      ordeal.suffer(
          () -> proxy.latency(Duration.ofMillis(40)), () -> proxy.latency(Duration.ZERO));
      ordeal.judge();
    }
  }

  @Test
  @Tag("nightly")
  void a_redis_that_is_killed_and_stopped_again_and_again() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Ordeal ordeal = new Ordeal("killed and stopped", redis.uri())) {
      for (int i = 0; i < 10; i++) {
        ordeal.suffer(redis::kill, redis::restart);
        ordeal.suffer(redis::stop, redis::cont);
      }
      ordeal.judge();
    }
  }

  private final class Ordeal implements AutoCloseable {
    private final String name;
    private final Service service;
    private final Map<String, Traffic> wires = new TreeMap<>();
    private final List<Duration> recoveries = new ArrayList<>();
    private final Stalls stalls;
    private final long start;

    Ordeal(String name, String redis) throws Exception {
      this.name = name;
      service = Service.start(Setup.wide(folder).withStore(StoreSettings.at(redis)));
      wires.put("http", new Traffic(Traffic.http(service), PER_SECOND_AND_WIRE));
      wires.put("resp", new Traffic(Traffic.resp(service), PER_SECOND_AND_WIRE));
      wires.put("rls", new Traffic(Traffic.grpc(service), PER_SECOND_AND_WIRE));
      Thread.sleep(WARM_UP.toMillis()); // code that was never run is not yet compiled
      for (Traffic wire : wires.values()) {
        wire.await(NEVER_BACK, Traffic.Sample::exact);
      }
      stalls = Stalls.watch();
      start = System.nanoTime();
    }

    void suffer(Runnable hurt, Runnable mend) throws InterruptedException {
      hurt.run();
      Thread.sleep(AWAY.toMillis());
      for (Traffic wire : wires.values()) {
        wire.await(NEVER_BACK, sample -> !sample.exact());
      }
      mend.run();
      long mended = System.nanoTime();
      for (Traffic wire : wires.values()) {
        wire.await(NEVER_BACK, Traffic.Sample::exact);
      }
      recoveries.add(Duration.ofNanos(System.nanoTime() - mended));
      Thread.sleep(500);
    }

    void judge() throws InterruptedException {
      for (Traffic wire : wires.values()) {
        wire.end();
      }
      stalls.close();
      for (Map.Entry<String, Traffic> entry : wires.entrySet()) {
        List<Traffic.Sample> all =
            entry.getValue().samples().stream().filter(one -> one.start() >= start).toList();
        Duration worst = stalls.percentile(99.9, all);
        System.out.printf(
            "%s, %s: %d answers, %d without Redis; p99 %.1f ms, p99.9 %.1f ms; back after %s; longest stall"
                + " of the machine %.1f ms%n",
            name,
            entry.getKey(),
            all.size(),
            all.stream().filter(one -> !one.exact()).count(),
            stalls.percentile(99, all).toNanos() / 1e6,
            worst.toNanos() / 1e6,
            recoveries,
            stalls.longest() / 1e6);
      }
      for (Map.Entry<String, Traffic> entry : wires.entrySet()) {
        String wire = entry.getKey();
        List<Traffic.Sample> all =
            entry.getValue().samples().stream().filter(one -> one.start() >= start).toList();
        assertThat(entry.getValue().failures()).as(wire).isEmpty();
        assertThat(all).as(wire).hasSizeGreaterThan(500);
        assertThat(stalls.percentile(99.9, all)).as(wire).isLessThanOrEqualTo(MOST.get(wire));
      }
      assertThat(recoveries).allMatch(took -> took.compareTo(BACK) <= 0, "within a second");
    }

    @Override
    public void close() throws Exception {
      for (Traffic wire : wires.values()) {
        wire.close();
      }
      stalls.close();
      service.close();
    }
  }
}
