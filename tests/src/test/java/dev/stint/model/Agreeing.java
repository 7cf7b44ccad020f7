package dev.stint.model;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Two stores that are told the same and must answer the same: one that forgets when it is told to,
 * and one that forgets by a clock that is not the test's.
 */
final class Agreeing implements Store {

  private record Place(String identity, Object key) {}

  private record Known(KeyedLimit limit, long resetAt) {}

  private final Store memory;
  private final Store remote;
  private final UnaryOperator<KeyedLimit> placing;
  private final Map<Place, Known> places = new HashMap<>();

  /**
   * A pair.
   *
   * @param placing what the remote store is told of where a limit lies
   */
  Agreeing(Store memory, Store remote, UnaryOperator<KeyedLimit> placing) {
    this.memory = memory;
    this.remote = remote;
    this.placing = placing;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Decision one = memory.run(operation, limits);
    Decision other = remote.run(operation, limits.stream().map(placing).toList());
    if (!facts(one).equals(facts(other))) {
      throw new AssertionError(
          "%s%n  in memory %s%n  remote    %s".formatted(operation, facts(one), facts(other)));
    }
    for (int i = 0; i < limits.size(); i++) {
      KeyedLimit limit = limits.get(i);
      remember(writes(operation, limit, one), limit, resetAt(other.limits().get(i)));
    }
    return one;
  }

  private static boolean writes(Operation operation, KeyedLimit limit, Decision decision) {
    return switch (operation) {
      case PEEK, GET -> false;
      case HIT ->
          decision.charges().stream()
              .anyMatch(
                  charge ->
                      charge.limit().equals(limit.limit()) && charge.key().equals(limit.key()));
      default -> true;
    };
  }

  /**
   * Remembers when a state may be forgotten. What was only asked for is stored as before, unless
   * the clock was set back and the state was moved with it; but a limit that counts in coarser
   * parts of a microsecond than another of the same identity sees the state end one earlier.
   */
  private void remember(boolean wrote, KeyedLimit limit, long resetAt) {
    Place place = new Place(limit.limit().identity(), limit.key());
    Known before = places.get(place);
    if (wrote || before == null || resetAt < before.resetAt() - 1) {
      places.put(place, new Known(limit, resetAt));
    }
  }

  private static String facts(Decision decision) {
    List<String> facts = new ArrayList<>();
    facts.add(facts(decision, decision.limit().toString()));
    decision.limits().forEach(one -> facts.add(facts(one, one.limit().toString())));
    for (KeyedLimit charge : decision.charges()) {
      facts.add(
          "%s charged %d at %d+%d"
              .formatted(charge.limit(), charge.cost(), charge.stamp(), charge.fraction()));
    }
    return facts.toString();
  }

  private static String facts(Decision decision, String more) {
    return "%s used %d left %d retry %s next %s reset %s degraded %s, %s"
        .formatted(
            decision.allowed(),
            decision.used(),
            decision.remaining(),
            decision.retryAfter(),
            decision.nextAfter(),
            decision.resetAfter(),
            decision.reason(),
            more);
  }

  private long resetAt(Decision decision) {
    Duration after = decision.resetAfter();
    return after.equals(Decision.NEVER)
        ? Algorithm.NEVER
        : time().micros() + after.toNanos() / 1000;
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    memory.prepare(limits);
    remote.prepare(limits);
  }

  @Override
  public long clean() {
    long now = time().micros();
    List<KeyedLimit> expired =
        places.values().stream()
            .filter(known -> known.resetAt() <= now)
            .map(Known::limit)
            .map(placing)
            .toList();
    if (!expired.isEmpty()) {
      remote.run(Operation.RESET, expired);
    }
    return memory.clean();
  }

  @Override
  public TimeSource time() {
    return memory.time();
  }

  /** The remote store stays open, for the next. */
  @Override
  public void close() {
    memory.close();
  }
}
