package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sliding log: its entries, of which the oldest {@code gone} have left the window and all are
 * read {@code shift} microseconds later than they are written. A deed settles both in the entries
 * themselves. {@code beyond} says that the newest entry holds nothing but charges beyond the limit.
 */
record LogAccount(Entries entries, int gone, long shift, boolean beyond) implements Account {

  /** A log that holds more than any limit allows takes the rest into its newest entry. */
  private static final long LARGEST_LIMIT = 1_000_000;

  static @Nullable Account open(Terms terms, long now, long n) {
    if (n == 0) {
      return null;
    }
    Entries entries = new Entries();
    entries.append(latest(terms, now), n);
    return new LogAccount(entries, 0, 0, terms.countsDenied() && n > terms.amount());
  }

  /** The moment itself, but no later than one window before the end of time. */
  private static long latest(Terms terms, long moment) {
    return Math.min(moment, Terms.END - terms.window());
  }

  private long newest() {
    return entries.time(entries.size() - 1) + shift;
  }

  /** The log's own now: a log is never read as of a moment before its newest entry. */
  private long moment(long now) {
    return Math.max(now, newest());
  }

  private Entries settled() {
    entries.dropOldest(gone);
    entries.moveBy(shift);
    return entries;
  }

  private static @Nullable Account of(Entries entries, boolean beyond) {
    return entries.size() == 0 ? null : new LogAccount(entries, 0, 0, beyond);
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    return newest() > now + terms.window();
  }

  @Override
  public Account shift(Terms terms, long now) {
    return new LogAccount(entries, gone, shift + now - newest(), beyond);
  }

  @Override
  public @Nullable Account at(Terms terms, long now) {
    int left = entries.countUpTo(moment(now) - terms.window() - shift);
    return left == entries.size()
        ? null
        : new LogAccount(entries, Math.max(gone, left), shift, beyond);
  }

  @Override
  public long used(Terms terms, long now) {
    return entries.unitsFrom(gone);
  }

  @Override
  public long resetAt(Terms terms) {
    return newest() + terms.window();
  }

  @Override
  public long room(Terms terms, long now) {
    return Terms.MOST - used(terms, now);
  }

  /**
   * Beyond the limit a charge goes to the newest entry, which moves. Where denied hits count, that
   * must not be the entry of an admitted hit: the first charge beyond the limit begins its own.
   */
  @Override
  public Account charge(Terms terms, long now, long n) {
    long most = Math.min(n, Terms.MOST - used(terms, now));
    boolean over = used(terms, now) + n > terms.amount();
    boolean apart = over && terms.countsDenied() && !beyond && used(terms, now) <= LARGEST_LIMIT;
    long moment = latest(terms, moment(now));
    Entries live = settled();
    if (apart) {
      live.appendApart(moment, most);
    } else {
      if (over) {
        live.moveNewest(moment);
      }
      live.append(moment, most);
    }
    return new LogAccount(live, 0, 0, apart || (over && beyond));
  }

  /** The time, and whether the charge is in the entry beyond the limit, in the last bit. */
  @Override
  public BigInteger stamp(Terms terms) {
    boolean over = terms.countsDenied() && entries.unitsFrom(gone) > terms.amount();
    return BigInteger.valueOf(newest()).shiftLeft(1).add(BigInteger.valueOf(over ? 1 : 0));
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n) {
    Entries live = settled();
    int before = live.size();
    live.takeNewest(n);
    return of(live, beyond && live.size() == before);
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    long time = stamp.shiftRight(1).longValueExact() - shift;
    int place = stamp.testBit(0) ? entries.findLast(time) : entries.findFirst(time);
    if (place < gone) {
      return this;
    }
    boolean newest = place == entries.size() - 1;
    Entries live = settled();
    int before = live.size();
    live.takeAt(place - gone, n);
    return of(live, beyond && !(newest && live.size() < before));
  }
}
