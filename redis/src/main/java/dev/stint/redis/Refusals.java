package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a moment who was refused, and refuses them again without a trip to Redis.
 *
 * <p>Who was refused stays so until the wait is over, unless somebody gives units back; so for a
 * moment a refusal of the same limit, amount and key stands for any cost that is no smaller. What
 * changes a key through this store forgets its refusal, as a rule; what changes it elsewhere, or at
 * the very moment of the refusal, goes unnoticed for as long as refusals are kept, hence at most
 * {@value #MOST_MILLIS} ms. Limits that count denied hits are never answered from here, nor are
 * logs, whose waits follow from more than a few numbers.
 *
 * <p>A table of fixed size, in which a newer refusal takes an older one's row.
 */
final class Refusals {

  static final int MOST_MILLIS = 100;
  private static final int ROWS = 1 << 13;

  private static final class Refusal {
    final byte[] place;
    final KeyedLimit asked;
    final Answer answer;
    final long since;
    final long until;

    Refusal(byte[] place, KeyedLimit asked, Answer answer, long since, long until) {
      this.place = place;
      this.asked = asked;
      this.answer = answer;
      this.since = since;
      this.until = until;
    }
  }

  private final AtomicReferenceArray<Refusal> rows = new AtomicReferenceArray<>(ROWS);
  private final long age;
  private final TimeSource time;

  Refusals(Duration age, TimeSource time) {
    this.age = age.toNanos() / 1000;
    this.time = time;
  }

  /** A refusal that stands, as it would be worded now; null if there is none. */
  @Nullable Decision find(Question question) {
    KeyedLimit asked = question.limits().get(0);
    Refusal refusal = question.size() == 1 ? rows.get(row(question.place(0))) : null;
    if (refusal == null
        || asked.cost() < refusal.asked.cost()
        || asked.isShadow()
        || !refusal.asked.limit().equals(asked.limit())
        || !Arrays.equals(refusal.place, question.place(0))) {
      return null;
    }
    long moment = time.micros();
    if (moment < refusal.since || moment >= refusal.until) {
      return null;
    }
    long now = refusal.answer.now() + (moment - refusal.since);
    return Decision.of(
        asked.limit(),
        asked.key(),
        false,
        false,
        null,
        now,
        asked.cost(),
        false,
        refusal.answer.number(0, Answer.RESET_AT),
        refusal.answer.number(0, Answer.NUMBER),
        refusal.answer.number(0, Answer.PREVIOUS),
        refusal.answer.number(0, Answer.WAIT));
  }

  /** Takes note of an answer to a hit or a peek. */
  void note(Question question, Answer answer) {
    KeyedLimit asked = question.limits().get(0);
    Limit limit = asked.limit();
    if (question.size() > 1
        || answer.all()
        || limit.countsDenied()
        || limit.kind() == Limit.Kind.SLIDING_LOG) {
      return;
    }
    long since = time.micros();
    long until = since + Math.min(age, answer.number(0, Answer.WAIT));
    byte[] place = question.place(0);
    rows.set(row(place), new Refusal(place, asked, answer, since, until));
  }

  /** Forgets whoever is refused in these places: something happens to them. */
  void forget(Question question) {
    for (int i = 0; i < question.size(); i++) {
      forget(question.place(i));
    }
  }

  /** Forgets that this place refused. */
  void forget(byte[] place) {
    rows.set(row(place), null);
  }

  private static int row(byte[] place) {
    int hash = Arrays.hashCode(place);
    return (hash ^ hash >>> 16) & (ROWS - 1);
  }
}
