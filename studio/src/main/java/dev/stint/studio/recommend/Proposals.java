package dev.stint.studio.recommend;

import dev.stint.Limit;
import dev.stint.studio.log.Sink;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Plan;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds, for each span of time, the lowest round amount that enough clients never notice.
 *
 * <p><em>Where the search starts.</em> The first reading knows everybody's busiest span of the
 * clock. The lowest round amount that enough of them do not exceed is where the engine is first
 * asked. A bucket, which forgives bursts, might do with less, but a limit below what clients are
 * seen to use would be hard to explain to them.
 *
 * <p><em>Why the engine is asked.</em> Algorithms without edges look at any span, not only at those
 * of the clock, and find up to twice as much there. So the amount is tried on every request, and if
 * too many notice, the next round one is. By {@link Attempt} three times the first amount always
 * holds, which is six round numbers further at most: the search ends. (Use beyond 2^31 - 1 is not
 * counted further; there the engine is asked until an amount holds.)
 *
 * <p><em>Which algorithm.</em> What was measured is the most that a client uses in a span, so the
 * limit should mean that: at most so much in any span. The sliding log means it to the letter and
 * remembers every hit. A token bucket lets twice as much pass in one span, a fixed window likewise
 * around an edge. The sliding counter comes closest in constant memory, and is taken unless another
 * is asked for.
 */
final class Proposals {

  /** What is proposed if nobody says otherwise. */
  static final String USUAL_ALGORITHM = "sliding-counter";

  /** So many amounts of a span are tried in one reading: mostly the first or second holds. */
  private static final int AT_ONCE = 2;

  /** So many clients at most are kept in one reading, over all limits: at some 50 bytes each. */
  private static final long ROOM = 2_000_000;

  /** Reads the log once more, and answers whether it came to the end. */
  interface Again {
    boolean read(Sink sink) throws Unreadable;
  }

  private final Survey survey;
  private final String algorithm;
  private final BitSet anyway;
  private final long mayNotice;
  private final Map<Long, Tried> found = new TreeMap<>();

  /**
   * Proposals for the clients of a survey.
   *
   * @param anyway clients that notice another limit already
   * @param mayNotice so many others may be refused at most
   */
  Proposals(Survey survey, String algorithm, BitSet anyway, long mayNotice) {
    this.survey = survey;
    this.algorithm = algorithm;
    this.anyway = anyway;
    this.mayNotice = mayNotice;
  }

  /**
   * One for each of these spans, shortest first; none if a reading did not come to the end.
   *
   * @param spans how they are used
   */
  List<Tried> find(List<Distribution> spans, Again log) throws Unreadable {
    Map<Distribution, Long> next = new LinkedHashMap<>();
    spans.forEach(use -> next.put(use, first(use)));
    while (!next.isEmpty()) {
      List<Attempt> attempts = new ArrayList<>();
      next.replaceAll((use, amount) -> begin(attempts, use, amount));
      if (!tryAll(attempts, log)) {
        return List.of();
      }
      next.keySet().removeIf(use -> found.containsKey(use.span()));
    }
    return List.copyOf(found.values());
  }

  private long first(Distribution use) {
    long amount = 1;
    while (above(use, amount) > mayNotice) {
      amount = NiceNumber.from(amount + 1);
    }
    return amount;
  }

  private long above(Distribution use, long amount) {
    return use.keysAbove(amount) - anyway.stream().filter(key -> use.peakOf(key) > amount).count();
  }

  /** Attempts at the next amounts of a span, and the amount that comes after them. */
  private long begin(List<Attempt> attempts, Distribution use, long amount) {
    long next = amount;
    for (int i = 0; i < AT_ONCE; i++) {
      attempts.add(
          new Attempt(use, limit(next, use.span()), survey.arrived().start(), anyway, mayNotice));
      next = NiceNumber.from(next + 1);
    }
    return next;
  }

  private Limit limit(long amount, long micros) {
    Limit plain = Limit.tokenBucket(amount, Duration.of(micros, ChronoUnit.MICROS));
    return Plan.of(List.of(plain), List.of(algorithm)).get(0).limits().get(0);
  }

  /** In as many readings as their memory needs, mostly one. */
  private boolean tryAll(List<Attempt> attempts, Again log) throws Unreadable {
    for (int from = 0, to; from < attempts.size(); from = to) {
      long asked = attempts.get(from).asked();
      for (to = from + 1; to < attempts.size(); to++) {
        asked += attempts.get(to).asked();
        if (asked > ROOM) {
          break;
        }
      }
      if (!tryTogether(attempts.subList(from, to), log)) {
        return false;
      }
    }
    return true;
  }

  private boolean tryTogether(List<Attempt> attempts, Again log) throws Unreadable {
    try {
      boolean whole =
          log.read(
              (micros, key, cost) -> {
                for (Attempt attempt : attempts) {
                  attempt.request(micros, key, cost);
                }
              });
      if (!whole) {
        return false;
      }
      for (Attempt attempt : attempts) {
        if (attempt.holds()) {
          Tried tried = attempt.result();
          found.merge(tried.span(), tried, Proposals::lower);
        }
      }
      return true;
    } finally {
      attempts.forEach(Attempt::close);
    }
  }

  private static Tried lower(Tried one, Tried other) {
    return one.limit().amount() <= other.limit().amount() ? one : other;
  }
}
