package dev.stint.studio.simulate;

import dev.stint.studio.cli.Span;

/**
 * Somebody at a sale that opens after a quarter of the time. Some look in before or at any time;
 * most come when it opens, or soon after, and load the page again and again.
 */
final class Buyer implements Crowd.Client {

  private static final int EARLY = 5;

  private final String key;
  private final long duration;
  private final Chance chance;
  private long requests;

  Buyer(String key, long duration, Chance chance) {
    this.key = key;
    this.duration = duration;
    this.chance = chance;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long first() {
    boolean early = chance.in(EARLY);
    requests = chance.atLeast(1, early ? 5 : 60);
    return early ? chance.below(duration) : chance.atLeast(duration / 4, duration / 12);
  }

  @Override
  public long again(long at, boolean allowed, long retryAfter) {
    return --requests > 0
        ? at + chance.atLeast(Span.SECOND / 10, 4 * Span.SECOND / 10)
        : Source.NEVER;
  }
}
