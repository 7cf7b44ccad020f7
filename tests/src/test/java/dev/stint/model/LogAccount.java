package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sliding log: its entries, of which the oldest {@code gone} have left the window and all are
 * read {@code shift} microseconds later than they are written. A deed settles both in the entries
 * themselves.
 */
record LogAccount(Entries entries, int gone, long shift) implements Account {

  static @Nullable Account open(long now, long n) {
    if (n == 0) {
      return null;
    }
    Entries entries = new Entries();
    entries.append(now, n);
    return new LogAccount(entries, 0, 0);
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

  private static @Nullable Account of(Entries entries) {
    return entries.size() == 0 ? null : new LogAccount(entries, 0, 0);
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    return newest() > now + terms.window();
  }

  @Override
  public Account shift(Terms terms, long now) {
    return new LogAccount(entries, gone, shift + now - newest());
  }

  @Override
  public @Nullable Account at(Terms terms, long now) {
    int left = entries.countUpTo(moment(now) - terms.window() - shift);
    return left == entries.size() ? null : new LogAccount(entries, Math.max(gone, left), shift);
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
  public Account charge(Terms terms, long now, long n) {
    long most = Math.min(n, Terms.MOST - used(terms, now));
    boolean beyond = used(terms, now) + n > terms.amount();
    long moment = moment(now);
    Entries live = settled();
    if (beyond) {
      live.moveNewest(moment);
    }
    live.append(moment, most);
    return new LogAccount(live, 0, 0);
  }

  @Override
  public BigInteger stamp(Terms terms) {
    return BigInteger.valueOf(newest());
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n) {
    Entries live = settled();
    live.takeNewest(n);
    return of(live);
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    int place = entries.find(stamp.longValueExact() - shift);
    if (place < gone) {
      return this;
    }
    Entries live = settled();
    live.takeAt(place - gone, n);
    return of(live);
  }
}
