package dev.stint.memory;

import java.util.Arrays;

/**
 * What a limit is, whatever its algorithm, on a clock that stands still or passes everything: a
 * count for each key. The sequential specification of a {@link Scene}, operation for operation.
 */
public class Counts {

  private final Setting setting;
  private final long[] used = new long[2];

  Counts(Setting setting) {
    this.setting = setting;
    used[0] = setting.left();
  }

  public long hit(int key, int n) {
    long cost = n * setting.unit();
    boolean fits = fits(key, cost);
    used[key] += fits ? cost : 0;
    return fits ? used[key] : ~used[key];
  }

  public String both(int key, int n) {
    int other = 1 - key;
    long cost = n * setting.unit();
    boolean fits = fits(key, cost) && fits(other, 1);
    used[key] += fits ? cost : 0;
    used[other] += fits ? 1 : 0;
    return (fits ? "allowed " : "denied ") + used[key] + " " + used[other];
  }

  private boolean fits(int key, long cost) {
    return used[key] + cost <= setting.limit().capacity();
  }

  public long peek(int key) {
    return fits(key, 1) ? used[key] : ~used[key];
  }

  public long inc(int key, int n) {
    used[key] = Math.min(used[key] + n * setting.unit(), setting.most());
    return used[key];
  }

  public void refund(int key, int n) {
    used[key] = Math.max(0, used[key] - n * setting.unit());
  }

  public void set(int key, int n) {
    used[key] = Math.min((n - 1) * setting.unit(), setting.most());
  }

  public void reset(int key) {
    used[key] = 0;
  }

  public long get(int key) {
    return used[key];
  }

  /** Everything expires. */
  public void pass() {
    Arrays.fill(used, 0);
  }

  /** Sweeping changes no answer. */
  public void sweep() {}

  /** Nor does it that another key goes. */
  public void leave() {}
}
