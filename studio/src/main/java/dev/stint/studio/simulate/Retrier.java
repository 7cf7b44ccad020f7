package dev.stint.studio.simulate;

/**
 * One of many workers who share a key: refused, it comes back exactly when it was told to, and so
 * do all the others who were told the same. Admitted, it works a while and wants the next.
 */
final class Retrier implements Crowd.Client {

  private final String key;
  private final long work;
  private final Chance chance;

  /**
   * A worker.
   *
   * @param work how long it works, give or take a tenth
   */
  Retrier(String key, long work, Chance chance) {
    this.key = key;
    this.work = work;
    this.chance = chance;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long first() {
    return 0;
  }

  @Override
  public long again(long at, boolean allowed, long retryAfter) {
    if (allowed) {
      return at + work - work / 10 + chance.below(work / 5 + 1) + 1;
    }
    return retryAfter == Source.NEVER ? Source.NEVER : at + Math.max(1, retryAfter);
  }
}
