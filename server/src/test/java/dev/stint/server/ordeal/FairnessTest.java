package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clients send the largest batches as fast as they are answered. The other clients of the same
 * process must hardly notice: they are compared with a control, in which the two send their batches
 * to a second process on the same machine, with the same Redis.
 *
 * <p>Both take turns of half a second, {@code -Dstint.fairness.seconds=n} in all for each.
 */
class FairnessTest {

  private static final int SECONDS = Integer.getInteger("stint.fairness.seconds", 5);
  private static final long TURN = 500_000_000L;
  private static final int WARM_UP_TURNS = 6;
  private static final int BATCHERS = 2;
  private static final int OTHERS = 4;
  private static final int CHECKS = 1_000;

  /** Between two requests of one of the others. */
  private static final long PAUSE = 5_000_000L;

  private static final double MOST = 2.0;

  @TempDir Path folder;

  private static final String POLICIES =
      """
      policies:
        api: 1000000/day fixed-window
        bulk: 1000000000/day fixed-window
      """;

  @Test
  void batches_in_memory_delay_others_no_more_than_if_they_went_to_another_process()
      throws Exception {
    compare("memory", "store: memory\n" + POLICIES);
  }

  @Test
  @Tag("redis")
  void batches_on_redis_delay_others_no_more_and_degrade_none() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      compare("redis", "store: {url: \"%s\"}\n%s".formatted(redis.uri(), POLICIES));
    }
  }

  private void compare(String store, String configuration) throws Exception {
    try (Child first = Child.start(folder, configuration);
        Child second = Child.start(folder, configuration);
        Load load = new Load(first.port)) {
      Stalls stalls = Stalls.watch();
      for (int turn = -WARM_UP_TURNS; turn < 2L * SECONDS * 1_000_000_000L / TURN; turn++) {
        boolean together = Math.floorMod(turn, 2) == 0;
        load.turn(together ? first.port : second.port, turn < 0 ? null : together);
      }
      stalls.close();
      Figures beside = new Figures(load.together, stalls);
      Figures control = new Figures(load.apart, stalls);
      System.out.printf(
          "Fairness, %s: %,d batches of %,d; others beside them %s; control %s; ratio %.2f%n",
          store, load.batches.get(), CHECKS, beside, control, (double) beside.p99 / control.p99);
      assertThat(load.batches.get()).isPositive();
      assertThat(beside.degraded).isZero();
      assertThat(beside.p99)
          .as("p99 of others, beside batches in the same and in another process")
          .isLessThanOrEqualTo((long) (MOST * control.p99));
    }
  }

  private record Sample(long start, long end, boolean degraded) {}

  /**
   * What samples came to. What happened while the machine itself stalled is not held against us.
   */
  private static final class Figures {

    /** Less than the deadline of a decision by more than a decision takes. */
    private static final long STALL = 5_000_000L;

    private final int requests;
    private final long p99;
    private final long degraded;
    private final long degradedInStalls;

    Figures(List<Sample> samples, Stalls stalls) {
      long[] sorted = samples.stream().mapToLong(one -> one.end - one.start).sorted().toArray();
      requests = sorted.length;
      p99 = sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
      long all = samples.stream().filter(Sample::degraded).count();
      degraded =
          samples.stream()
              .filter(Sample::degraded)
              .filter(one -> stalls.lost(one.start, one.end) < STALL)
              .count();
      degradedInStalls = all - degraded;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "p99 %.2f ms, %d degraded, %d more while the machine stalled, of %,d",
          p99 / 1e6,
          degraded,
          degradedInStalls,
          requests);
    }
  }

  /** The others, who ask at a fixed rate, and the clients with batches. */
  private static final class Load implements AutoCloseable {

    private final List<Sample> together = new ArrayList<>();
    private final List<Sample> apart = new ArrayList<>();
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final List<Http> others = new ArrayList<>();

    Load(int port) throws IOException {
      for (int i = 0; i < OTHERS; i++) {
        others.add(Http.connect(port));
      }
    }

    /** Half a second; {@code kept} says where its samples go, null for nowhere. */
    void turn(int batchPort, Boolean kept) throws Exception {
      long end = System.nanoTime() + TURN;
      List<Thread> threads = new ArrayList<>();
      List<Sample> samples = new ArrayList<>();
      for (int i = 0; i < BATCHERS; i++) {
        int number = i;
        threads.add(started(() -> batches(batchPort, number, end)));
      }
      for (int i = 0; i < OTHERS; i++) {
        int number = i;
        threads.add(started(() -> ask(others.get(number), number, end, samples)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures.get()).isZero();
      if (kept != null) {
        (kept ? together : apart).addAll(samples);
      }
    }

    private interface Action {
      void run() throws IOException;
    }

    private Thread started(Action action) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  action.run();
                } catch (IOException e) {
                  failures.incrementAndGet();
                }
              });
      thread.start();
      return thread;
    }

    private void batches(int port, int number, long end) throws IOException {
      StringBuilder body = new StringBuilder("{\"checks\":[");
      for (int i = 0; i < CHECKS; i++) {
        body.append(i == 0 ? "" : ",").append("{\"policy\":\"bulk\",\"key\":\"b");
        body.append(number).append('-').append(i).append("\"}");
      }
      String batch = body.append("]}").toString();
      try (Http http = Http.connect(port)) {
        while (System.nanoTime() < end) {
          assertThat(http.post("/v1/batch", batch).status()).isEqualTo(200);
          batches.incrementAndGet();
        }
      }
    }

    private static void ask(Http http, int number, long end, List<Sample> samples)
        throws IOException {
      List<Sample> own = new ArrayList<>();
      long due = System.nanoTime();
      for (int i = 0; due < end; i++, due += PAUSE) {
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        long begin = System.nanoTime();
        Http.Answer answer = http.hit("api", "o" + number + "-" + i % 100);
        assertThat(answer.status()).isEqualTo(200);
        boolean degraded = answer.body().contains("\"degraded\":true");
        own.add(new Sample(begin, System.nanoTime(), degraded));
      }
      synchronized (samples) {
        samples.addAll(own);
      }
    }

    @Override
    public void close() throws IOException {
      for (Http http : others) {
        http.close();
      }
    }
  }

  /** The service in a process of its own. */
  private static final class Child implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("^http +(?:\\S*:)?(\\d{1,5})$");

    private final Process process;
    private final int port;

    private Child(Process process, int port) {
      this.process = process;
      this.port = port;
    }

    static Child start(Path folder, String configuration) throws IOException {
      Path file = Files.createTempFile(folder, "stint", ".yaml");
      Files.writeString(file, configuration);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx192m", "-XX:MaxDirectMemorySize=64m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of("dev.stint.server.Main", "serve", "--config", file.toString()));
      for (String wire : List.of("--http", "--grpc", "--resp", "--admin")) {
        command.addAll(List.of(wire, "127.0.0.1:0"));
      }
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      StringBuilder said = new StringBuilder();
      int port = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        said.append(line).append('\n');
        Matcher matcher = PORT.matcher(line);
        if (matcher.matches()) {
          port = Integer.parseInt(matcher.group(1));
        }
        if (line.startsWith("admin ")) {
          break;
        }
      }
      if (port == 0) {
        process.destroyForcibly();
        throw new IOException("a service must tell its ports: " + said);
      }
      Thread rest = new Thread(() -> out.lines().forEach(line -> {}), "log of a service");
      rest.setDaemon(true);
      rest.start();
      return new Child(process, port);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
