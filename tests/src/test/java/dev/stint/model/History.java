package dev.stint.model;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last steps of a trace, told only when they are asked for. */
final class History {
  private static final int LENGTH = 20;

  private record Line(long step, long now, String deed, Object subject, Object answer) {}

  private final Deque<Line> lines = new ArrayDeque<>();
  private final long seed;
  private long step;

  History(long seed) {
    this.seed = seed;
  }

  long steps() {
    return step;
  }

  void begin() {
    step++;
  }

  /** One deed of the present step, and what the model answers. */
  void add(long now, String deed, Object subject, Object answer) {
    if (lines.size() == LENGTH) {
      lines.removeFirst();
    }
    lines.addLast(new Line(step, now, deed, subject, answer));
  }

  /** What a maintainer needs to see the same again. */
  AssertionError failure(String difference) {
    return new AssertionError(report(difference));
  }

  AssertionError failure(RuntimeException thrown) {
    return new AssertionError(report("  nothing must be thrown: " + thrown), thrown);
  }

  private String report(String difference) {
    StringBuilder text = new StringBuilder();
    text.append("the store must answer as the model does; in step ").append(step);
    text.append(" of seed ").append(seed).append(":\n").append(difference).append("\n");
    for (Line line : lines) {
      text.append("  step ").append(line.step()).append(" at ").append(line.now()).append("us: ");
      text.append(line.deed()).append(" ").append(line.subject()).append("\n");
      text.append("    = ").append(line.answer()).append("\n");
    }
    text.append("Replay it with -Dtest=ModelTest -Dstint.model.steps=1 -Dstint.seed=").append(seed);
    return text.toString();
  }
}
