package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that a run has measured. */
final class Figures {

  /** The part of the highest rate at which the target for latencies holds. */
  static final double HALF = 0.5;

  /** Answers per second, as fast as they came. */
  record Throughput(Contest contest, Rounds rounds) {}

  /** Latencies at a fixed rate that is this share of the highest. */
  record Latency(Contest contest, double share, double perSecond, Rounds rounds) {}

  /** Megabytes of the process with so many live keys: before, with them, and at the most. */
  record Memory(long keys, double before, double after, double most) {}

  /** Bytes that the event loops allocated per request. */
  record Allocation(String command, int depth, double bytes, double ofPing) {}

  private final Environment environment;
  private final List<Throughput> throughput = new ArrayList<>();
  private final List<Latency> latencies = new ArrayList<>();
  private final List<Allocation> allocations = new ArrayList<>();
  private @Nullable Memory memory;
  private @Nullable Spread firstAnswer;

  Figures(Environment environment) {
    this.environment = environment;
  }

  Environment environment() {
    return environment;
  }

  List<Throughput> throughput() {
    return throughput;
  }

  List<Latency> latencies() {
    return latencies;
  }

  List<Allocation> allocations() {
    return allocations;
  }

  Optional<Memory> memory() {
    return Optional.ofNullable(memory);
  }

  void memory(Memory measured) {
    memory = measured;
  }

  /** Milliseconds from the start of the process to its first answer. */
  Optional<Spread> firstAnswer() {
    return Optional.ofNullable(firstAnswer);
  }

  void firstAnswer(Spread measured) {
    firstAnswer = measured;
  }
}
