package dev.stint.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What every operation means, over accounts in a map. It is written from the rules alone and knows
 * nothing of how a store does it: the stores have to agree with it in every field.
 */
final class Model {

  private record Row(Terms.Identity identity, String key) {}

  private record Remembered(Account account, Terms terms) {}

  private final Map<Row, Remembered> rows = new HashMap<>();

  Answer hit(long now, List<Ask> asks) {
    return ask(now, asks, true);
  }

  Answer peek(long now, List<Ask> asks) {
    return ask(now, asks, false);
  }

  /** Whether one limit by itself would have room. */
  boolean fits(long now, Ask ask) {
    return wait(now, ask) == 0;
  }

  private Answer ask(long now, List<Ask> asks, boolean charging) {
    List<Long> waits = new ArrayList<>();
    boolean allowed = true;
    for (Ask ask : asks) {
      long wait = wait(now, ask);
      waits.add(wait);
      allowed &= wait == 0 || ask.shadow();
    }
    List<Answer.Charge> charges = new ArrayList<>();
    List<Answer.Own> limits = new ArrayList<>();
    for (int i = 0; i < asks.size(); i++) {
      Ask ask = asks.get(i);
      boolean fits = waits.get(i) == 0;
      boolean admitted = allowed && fits;
      boolean counted = charging && !admitted && ask.terms().countsDenied();
      long units = charging && admitted ? ask.charge() : counted ? counted(now, ask, fits) : 0;
      if (units > 0) {
        charges.add(charge(now, ask.terms(), ask.key(), units));
      }
      limits.add(own(now, ask.terms(), ask.key(), fits, counted ? wait(now, ask) : waits.get(i)));
    }
    return new Answer(allowed, deciding(asks, limits, allowed), limits, charges);
  }

  /** What is charged for a denied hit that is counted: what the state still takes. */
  private long counted(long now, Ask ask, boolean fits) {
    if (fits) {
      return ask.charge();
    }
    Account account = look(now, ask.terms(), ask.key());
    long room =
        account == null
            ? Account.roomWhereNothingIs(ask.terms(), now)
            : account.room(ask.terms(), now);
    return Math.min(ask.charge(), room);
  }

  private long wait(long now, Ask ask) {
    return Account.waitFor(look(now, ask.terms(), ask.key()), ask.terms(), now, ask.charge());
  }

  /** Denied: the longest wait. Allowed: the least left. Shadows decide only among themselves. */
  private static int deciding(List<Ask> asks, List<Answer.Own> limits, boolean allowed) {
    boolean onlyShadows = asks.stream().allMatch(Ask::shadow);
    int deciding = -1;
    for (int i = 0; i < asks.size(); i++) {
      if (asks.get(i).shadow() && !onlyShadows) {
        continue;
      }
      if (deciding < 0 || decidesMore(limits.get(i), limits.get(deciding), allowed)) {
        deciding = i;
      }
    }
    return deciding;
  }

  private static boolean decidesMore(Answer.Own one, Answer.Own other, boolean allowed) {
    return allowed ? one.remaining() < other.remaining() : one.retryAfter() > other.retryAfter();
  }

  private Answer.Charge charge(long now, Terms terms, String key, long units) {
    Account before = look(now, terms, key);
    Account after =
        before == null ? Account.open(terms, now, units) : before.charge(terms, now, units);
    if (after == null) {
      throw new IllegalStateException("a charge must be remembered: " + terms);
    }
    write(terms, key, after);
    return new Answer.Charge(terms, key, units, after.stamp(terms));
  }

  private Answer.Own own(long now, Terms terms, String key, boolean fits, long wait) {
    Account account = look(now, terms, key);
    long used = account == null ? 0 : account.used(terms, now);
    long remaining = Math.max(0, terms.capacity() - used);
    OptionalLong next =
        remaining == terms.capacity()
            ? OptionalLong.empty()
            : OptionalLong.of(Account.waitFor(account, terms, now, remaining + 1));
    return new Answer.Own(
        terms, fits, used, remaining, wait, next, untilReset(account, terms, now));
  }

  private static long untilReset(@Nullable Account account, Terms terms, long now) {
    if (account == null) {
      return 0;
    }
    long resetAt = account.resetAt(terms);
    return resetAt == Terms.FOREVER ? Terms.FOREVER : resetAt - now;
  }

  /** The state of one limit, as {@code get} and {@code expiresAt} tell of it. */
  Answer.Own state(long now, Terms terms, String key) {
    return own(now, terms, key, true, 0);
  }

  void inc(long now, Terms terms, String key, long n) {
    charge(now, terms, key, Math.min(n, Terms.MOST));
  }

  void set(long now, Terms terms, String key, long n) {
    long units = Math.min(n, Terms.MOST);
    Account before = look(now, terms, key);
    Account after =
        before == null ? Account.open(terms, now, units) : before.set(terms, now, units);
    write(terms, key, after);
  }

  void reset(Terms terms, String key) {
    write(terms, key, null);
  }

  void refund(long now, Terms terms, String key, long n) {
    Account before = look(now, terms, key);
    long units = Math.min(n, Terms.MOST);
    write(terms, key, before == null ? null : before.giveBack(terms, now, units));
  }

  void refund(long now, Answer answer) {
    for (Answer.Charge charge : answer.charges()) {
      Terms terms = charge.terms();
      Account before = look(now, terms, charge.key());
      Account after =
          before == null ? null : before.giveBack(terms, now, charge.units(), charge.stamp());
      write(terms, charge.key(), after);
    }
  }

  /** How many accounts are remembered, expired or not. */
  int size() {
    return rows.size();
  }

  /** Forgets what has expired and answers how many accounts that were. */
  long clean(long now) {
    long before = rows.size();
    rows.values().removeIf(row -> row.account().resetAt(row.terms()) <= now);
    return before - rows.size();
  }

  /**
   * The account as it stands now. Looking changes nothing, with one exception: an account further
   * ahead of the clock than a window is moved to where the clock is, for good. Were it only read
   * so, the next look would move it again, and a full one would stay full until the clock has
   * caught up, however long its waits were promised to be.
   */
  private @Nullable Account look(long now, Terms terms, String key) {
    Remembered row = rows.get(new Row(terms.identity(), key));
    if (row == null) {
      return null;
    }
    Account account = row.account();
    if (account.isAhead(terms, now)) {
      account = account.shift(terms, now);
      write(terms, key, account);
    }
    return account.at(terms, now);
  }

  private void write(Terms terms, String key, @Nullable Account account) {
    Row row = new Row(terms.identity(), key);
    if (account == null) {
      rows.remove(row);
    } else {
      rows.put(row, new Remembered(account, terms));
    }
  }
}
