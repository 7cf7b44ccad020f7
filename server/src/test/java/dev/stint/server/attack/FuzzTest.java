package dev.stint.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Spoiled input on every wire is answered or its connection is closed, is not logged line by line,
 * and leaves nothing behind.
 *
 * <p>{@code stint.fuzz.inputs} is how many there are for each wire, {@code stint.fuzz.seed} which,
 * and {@code stint.fuzz.first} the number of the first.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzTest {

  private static final int INPUTS = Integer.getInteger("stint.fuzz.inputs", 2000);
  private static final long SEED = Long.getLong("stint.fuzz.seed", System.nanoTime());
  private static final int FIRST = Integer.getInteger("stint.fuzz.first", 0);

  private static final long SECONDS_PER_LINE = 10;
  private static final int MOST_CAUSES = 20;

  /** Keys that the inputs invent are counted, and each takes its row. */
  private static final long MOST_GROWTH = 16 * Memory.MIB;

  @TempDir static Path folder;

  private ServiceProcess service;
  private Target target;

  /** A wire with its valid exchanges. */
  record Wire(String name, String listener, boolean framed, List<byte[]> seeds) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Wire> wires() {
    return Stream.of(
        new Wire("HTTP/1.1", Target.HTTP, false, FuzzSeeds.http()),
        new Wire("HTTP/2", Target.HTTP, true, FuzzSeeds.http2()),
        new Wire("gRPC", Target.GRPC, true, FuzzSeeds.grpc()),
        new Wire("RESP", Target.RESP, false, FuzzSeeds.resp()),
        new Wire("admin", Target.ADMIN, false, FuzzSeeds.admin()));
  }

  @BeforeAll
  void start() throws Exception {
    AttackedConfiguration configuration =
        AttackedConfiguration.write(
            folder, AttackedConfiguration.Kind.OPEN, "{connections: 1000, idle: 1s}");
    service = ServiceProcess.start(configuration.file());
    target = Target.of(service, null, null);
  }

  @AfterAll
  void stop() throws InterruptedException {
    service.close();
  }

  @ParameterizedTest
  @MethodSource("wires")
  void spoiled_input_does_no_harm(Wire wire) throws Exception {
    String run = wire + " with -Dstint.fuzz.seed=" + SEED;
    IntFunction<byte[]> inputs =
        number -> new Mutator(random(number), wire.seeds, wire.framed).next();
    FuzzClient client = new FuzzClient(target.address(wire.listener), wire.framed);
    int logged = service.log().size();
    long began = System.nanoTime();
    int warm = INPUTS / 10;
    client.send(FIRST, warm, inputs);
    Memory before = service.memory();
    client.send(FIRST + warm, INPUTS - warm, inputs);
    Memory after = service.memory();
    long seconds = (System.nanoTime() - began) / 1_000_000_000;
    List<String> log = service.log().subList(logged, service.log().size());
    System.out.println(
        "%s: %d inputs in %d s, %s; before %s, after %s; %d lines logged"
            .formatted(run, INPUTS, seconds, client, before, after, log.size()));
    assertThat(service.isAlive()).as("alive after " + run).isTrue();
    assertThat(client.wrong()).as(run).isEmpty();
    assertLog(run, log, seconds);
    assertThat(after.heap()).as("heap after " + run).isLessThan(before.heap() + MOST_GROWTH);
    assertThat(after.direct()).as("direct after " + run).isLessThan(before.direct() + MOST_GROWTH);
    askPolitely();
  }

  private static Random random(int number) {
    return new Random(SEED * 1_000_003 + number);
  }

  /** At most one line in ten seconds for each cause, and never a stack trace. */
  private static void assertLog(String run, List<String> log, long seconds) {
    assertThat(log).as("traces after " + run).noneMatch(line -> line.startsWith("\tat "));
    Map<String, Long> causes =
        log.stream()
            .collect(
                Collectors.groupingBy(
                    line -> line.replaceAll("[0-9a-f]{2,}|\\d", "0"), Collectors.counting()));
    assertThat(causes).as("causes after " + run).hasSizeLessThanOrEqualTo(MOST_CAUSES);
    assertThat(causes.values())
        .as("lines of each cause after " + run + ": " + causes)
        .allMatch(lines -> lines <= seconds / SECONDS_PER_LINE + 1);
  }

  private void askPolitely() {
    List<String> failed = new ArrayList<>();
    PoliteConnection.KINDS.forEach(
        (kind, opener) -> {
          try (PoliteConnection connection = opener.open(target)) {
            connection.ask();
          } catch (IOException e) {
            failed.add(kind + " " + e);
          }
        });
    assertThat(failed).isEmpty();
  }
}
