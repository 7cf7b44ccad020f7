package dev.stint.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.ordeal.Stalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing that a client sends, or refuses to read, ends the process, exhausts its memory, or keeps
 * a well-behaved client waiting.
 *
 * <p>{@code stint.attack.percent} is the size of the attacks: a tenth in an ordinary build, all of
 * it nightly. {@code stint.attack.only} chooses rows by a part of their names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackMatrixTest {

  private static final int PERCENT = Integer.getInteger("stint.attack.percent", 10);
  private static final String ONLY = System.getProperty("stint.attack.only", "");

  /** The default of bounds.connections, or a tenth of it, so that small crowds reach it too. */
  private static final int CONNECTIONS = 100 * PERCENT;

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;
  private static final long START = 60 * SECOND;
  private static final long CALM = 2 * SECOND;
  private static final long ATTACK = PERCENT < 100 ? 900 * MILLI : 10 * SECOND;
  private static final long GATHERING = 5 * SECOND;
  private static final long RECOVERY = 5 * SECOND;
  private static final long WINDOW = 500 * MILLI;
  private static final long MOST_P99 = 250 * MILLI;

  /** The first handshakes of a process take many times as long: nothing is compiled yet. */
  private static final int EARLIER_HANDSHAKES = 500;

  private static final long MOST_HEAP = 170 * Memory.MIB;
  private static final long MOST_DIRECT = 64 * Memory.MIB;
  private static final long MOST_RESIDENT = 450 * Memory.MIB;

  /** The connections of the polite clients, and those that are being closed. */
  private static final int MOST_OTHER_FILES = 100;

  private static final int MOST_LOG_LINES = 10;

  @TempDir static Path folder;

  private final Map<AttackedConfiguration.Kind, Running> services = new java.util.HashMap<>();

  /** A service with its clients, and how they fare when nothing happens. */
  private record Running(ServiceProcess service, Target target, int files, long calmP99) {}

  /** An attack from somewhere on a service of some kind. */
  record Row(AttackedConfiguration.Kind kind, Attack attack, String from) {
    @Override
    public String toString() {
      return kind + ", from " + from + ": " + attack;
    }
  }

  static Stream<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Attack attack : Attacks.plain()) {
      // As a stranger without tokens, from an address of its own; then beside the polite clients.
      rows.add(new Row(AttackedConfiguration.Kind.OPEN, attack, "127.0.0.2"));
      rows.add(new Row(AttackedConfiguration.Kind.TOKENS, attack, "127.0.0.1"));
    }
    for (Attack attack : Attacks.encrypted()) {
      rows.add(new Row(AttackedConfiguration.Kind.TLS, attack, "127.0.0.2"));
    }
    return rows.stream()
        .filter(row -> row.toString().contains(ONLY))
        .sorted(java.util.Comparator.comparing(Row::kind));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void the_service_outlives_its_clients(Row row) throws Exception {
    Running running = running(row.kind);
    List<String> wrong = new ArrayList<>();
    StringBuilder seen = new StringBuilder();
    int logged = running.service.log().size();
    Stalls stalls = Stalls.watch();
    PoliteClients polite = PoliteClients.of(running.target);
    long begin;
    long end;
    boolean recovered;
    try {
      Thread.sleep(100);
      begin = System.nanoTime();
      AutoCloseable attack =
          LowPriority.call(
              () ->
                  row.attack
                      .launcher()
                      .launch(running.target, InetAddress.getByName(row.from), PERCENT));
      try {
        sleepUntil(begin + ATTACK, running.service);
        awaitSize(attack, running.service);
        judge("under attack", running.service.memory(), wrong, seen);
        int open = running.service.openFiles();
        seen.append("; ").append(open).append(" files open");
        if (open > running.files + CONNECTIONS + MOST_OTHER_FILES) {
          wrong.add(open + " files open at a bound of " + CONNECTIONS + " connections");
        }
        if (attack instanceof Swarm swarm) {
          seen.append(
              "; %d open, %d closed by the service, %d MiB sent"
                  .formatted(swarm.open(), swarm.closed(), swarm.sent() / Memory.MIB));
          if (!swarm.hasReachedSize()) {
            wrong.add("the attack has not reached its size of " + swarm.size());
          }
        }
      } finally {
        attack.close();
      }
      end = System.nanoTime();
      recovered = recover(running, polite, end);
      judge("after it", running.service.memory(), wrong, seen);
    } finally {
      polite.close();
      stalls.close();
    }
    if (!running.service.isAlive()) {
      wrong.add("the process has ended with " + running.service.exitCode());
    }
    judge(polite, stalls, begin, end, wrong, seen);
    if (!recovered) {
      judgeRecovery(running, polite, stalls, end, wrong);
    }
    judge(running.service.log().subList(logged, running.service.log().size()), wrong, seen);
    System.out.println(row + ": " + (wrong.isEmpty() ? "stood" : "FAILED " + wrong) + "; " + seen);
    assertThat(wrong).as(seen.toString()).isEmpty();
  }

  private static void sleepUntil(long until, ServiceProcess service) throws InterruptedException {
    while (System.nanoTime() < until && service.isAlive()) {
      Thread.sleep(20);
    }
  }

  /** On a busy machine, attackers that have what is left of the processors need longer. */
  private static void awaitSize(AutoCloseable attack, ServiceProcess service)
      throws InterruptedException {
    long until = System.nanoTime() + GATHERING;
    while (attack instanceof Swarm swarm
        && !swarm.hasReachedSize()
        && System.nanoTime() < until
        && service.isAlive()) {
      Thread.sleep(20);
    }
  }

  /** Waits until all clients have recent answers that are as quick as before, or for the bound. */
  private static boolean recover(Running running, PoliteClients polite, long end)
      throws InterruptedException {
    while (System.nanoTime() < end + RECOVERY && running.service.isAlive()) {
      Thread.sleep(100);
      long from = System.nanoTime() - WINDOW;
      if (from >= end) {
        Map<String, List<PoliteClients.Sample>> recent = polite.since(from);
        if (recent.size() == PoliteClients.kinds()
            && recent.values().stream()
                .allMatch(samples -> PoliteClients.grossP99(samples) <= running.calmP99)) {
          return true;
        }
      }
    }
    return false;
  }

  private static void judge(
      String when, @Nullable Memory memory, List<String> wrong, StringBuilder seen) {
    seen.append("; ").append(when).append(' ').append(memory);
    if (memory == null) {
      wrong.add(when + " the memory could not be measured");
    } else if (memory.heap() > MOST_HEAP
        || memory.direct() > MOST_DIRECT
        || memory.resident() > MOST_RESIDENT) {
      wrong.add(when + " too much memory: " + memory);
    }
  }

  private static void judge(
      PoliteClients polite,
      Stalls stalls,
      long begin,
      long end,
      List<String> wrong,
      StringBuilder seen) {
    List<PoliteClients.Failure> failures = polite.failuresSince(begin);
    if (!failures.isEmpty()) {
      wrong.add(
          failures.size()
              + " failures of polite clients, such as "
              + failures.stream()
                  .map(failure -> failure.client() + " " + failure.what())
                  .distinct()
                  .limit(4)
                  .toList());
    }
    long worst = 0;
    for (var client : polite.since(begin).entrySet()) {
      long p99 = PoliteClients.p99(client.getValue(), stalls);
      worst = Math.max(worst, p99);
      if (p99 > MOST_P99) {
        wrong.add(client.getKey() + " p99 " + p99 / MILLI + " ms");
      }
    }
    seen.append(
        "; worst p99 %d ms, longest stall %d ms"
            .formatted(worst / MILLI, stalls.longest() / MILLI));
    seen.append("; watched for %d ms after it".formatted((last(polite, end) - end) / MILLI));
  }

  /** At the bound, the machine's own stalls are taken off. */
  private static void judgeRecovery(
      Running running, PoliteClients polite, Stalls stalls, long end, List<String> wrong) {
    long last = last(polite, end);
    polite
        .since(last - WINDOW)
        .forEach(
            (client, samples) -> {
              if (PoliteClients.p99(samples, stalls) > running.calmP99) {
                wrong.add(
                    client + " is not as quick as before after " + (last - end) / MILLI + " ms");
              }
            });
  }

  private static long last(PoliteClients polite, long end) {
    return polite.since(end).values().stream()
        .flatMap(List::stream)
        .mapToLong(PoliteClients.Sample::end)
        .max()
        .orElse(end);
  }

  private static void judge(List<String> log, List<String> wrong, StringBuilder seen) {
    seen.append("; ").append(log.size()).append(" lines logged");
    if (log.size() > MOST_LOG_LINES || log.stream().anyMatch(line -> line.startsWith("\tat "))) {
      wrong.add(log.size() + " lines logged: " + log.stream().limit(5).toList());
    }
  }

  private Running running(AttackedConfiguration.Kind kind) throws Exception {
    Running running = services.get(kind);
    if (running == null || !running.service.isAlive()) {
      running = start(kind);
      services.put(kind, running);
    }
    return running;
  }

  private static Running start(AttackedConfiguration.Kind kind) throws Exception {
    AttackedConfiguration configuration =
        AttackedConfiguration.write(
            Files.createTempDirectory(folder, kind.name()),
            kind,
            "{connections: " + CONNECTIONS + "}");
    ServiceProcess service = ServiceProcess.start(configuration.file());
    try {
      return calm(kind, configuration, service);
    } catch (Exception | AssertionError e) {
      service.close();
      throw e;
    }
  }

  private static Running calm(
      AttackedConfiguration.Kind kind, AttackedConfiguration configuration, ServiceProcess service)
      throws IOException, InterruptedException {
    Target target = Target.of(service, configuration.token(), configuration.tls());
    long p99;
    try (PoliteClients polite = PoliteClients.of(target)) {
      awaitAll(polite); // on a busy machine the first answers take seconds
      Thread.sleep(CALM / MILLI); // the compiler's time
      shakeHands(target);
      long from = System.nanoTime();
      Thread.sleep(CALM / MILLI / 2);
      p99 =
          polite.since(from).values().stream()
              .mapToLong(PoliteClients::grossP99)
              .max()
              .orElseThrow();
      assertThat(polite.failuresSince(0)).isEmpty();
    }
    Memory calm = service.memory();
    System.out.println(kind + " calm: p99 " + p99 / MILLI + " ms, " + calm);
    // The machine is shared; a calm figure of its quietest second is not one to be held to.
    return new Running(service, target, service.openFiles(), Math.max(2 * p99, 50 * MILLI));
  }

  /**
   * Clients come one after another, each for the first time, as to a service that has run a while.
   */
  private static void shakeHands(Target target) throws IOException {
    SSLContext tls = target.tls();
    for (int i = 0; tls != null && i < EARLIER_HANDSHAKES; i++) {
      InetSocketAddress to = target.address(Target.HTTP);
      Socket plain = new Socket(to.getAddress(), to.getPort());
      // A name of its own, because a client that comes back would skip the costly part.
      try (SSLSocket socket =
          (SSLSocket)
              tls.getSocketFactory().createSocket(plain, "client" + i, to.getPort(), true)) {
        socket.startHandshake();
      }
    }
  }

  private static void awaitAll(PoliteClients polite) throws InterruptedException {
    long end = System.nanoTime() + START;
    while (polite.since(0).size() < PoliteClients.kinds() && System.nanoTime() < end) {
      Thread.sleep(50);
    }
  }

  @AfterAll
  void stop() throws InterruptedException {
    for (Running running : services.values()) {
      running.service.close();
    }
  }
}
