package dev.stint.benchmarks;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** One thread of traffic: it walks through a sequence of keys of its own and counts refusals. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class Caller {

  /** The keys that come. */
  @Param public KeySet keys;

  private final KeyMaker maker = new KeyMaker();
  private int[] sequence;
  private int position;
  private int start;
  private long refused;

  /** Draws the keys, others for each thread. */
  @Setup(Level.Trial)
  public void draw(ThreadParams thread) {
    sequence = keys.sequence(42 + thread.getThreadIndex());
  }

  /** Begins to count. */
  @Setup(Level.Iteration)
  public void begin() {
    start = position;
    refused = 0;
  }

  int nextIndex() {
    return sequence[position++ & (sequence.length - 1)];
  }

  String text(int index) {
    return maker.text(index);
  }

  String nextText() {
    return text(nextIndex());
  }

  byte[] nextBytes() {
    return maker.bytes(nextIndex());
  }

  long nextNumber() {
    return KeyMaker.number(nextIndex());
  }

  boolean count(boolean allowed) {
    if (!allowed) {
      refused++;
    }
    return allowed;
  }

  /** Fails unless the answers since {@link #begin} were as they should be. */
  void check(Answers answers) {
    answers.check(refused, Integer.toUnsignedLong(position - start));
  }
}
