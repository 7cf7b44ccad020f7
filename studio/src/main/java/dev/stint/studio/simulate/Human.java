package dev.stint.studio.simulate;

import dev.stint.studio.cli.Span;

/**
 * Somebody at a browser: a visit of some pages, each of them a few requests at once and then time
 * to read; then a pause.
 */
final class Human implements Crowd.Client {

  private final String key;
  private final Chance chance;
  private long requests;
  private long pages;

  Human(String key, Chance chance) {
    this.key = key;
    this.chance = chance;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long first() {
    visit();
    return chance.below(Span.MINUTE);
  }

  @Override
  public long again(long at, boolean allowed, long retryAfter) {
    if (--requests > 0) {
      return at + chance.atLeast(20_000, 100_000);
    }
    if (--pages > 0) {
      page();
      return at + chance.atLeast(Span.SECOND, 9 * Span.SECOND);
    }
    visit();
    return at + chance.atLeast(20 * Span.SECOND, 100 * Span.SECOND);
  }

  private void visit() {
    pages = chance.atLeast(1, 8);
    page();
  }

  private void page() {
    requests = chance.atLeast(1, 3);
  }
}
