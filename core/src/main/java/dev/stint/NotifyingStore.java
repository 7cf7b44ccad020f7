package dev.stint;

import dev.stint.DecisionEvent.Kind;
import dev.stint.algorithm.Operation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A store that tells of its decisions, see {@link DecisionEvents}. */
final class NotifyingStore extends ForwardingStore {

  private static final Logger LOG = System.getLogger("dev.stint");

  /** Names may come with calls; beyond so many they share one turn. */
  private static final int MOST_NAMES = 1000;

  private final DecisionListener listener;
  private final double share;
  private final long interval;
  private final Map<String, Turn> refused = new ConcurrentHashMap<>();
  private final Map<String, Turn> nearLimit = new ConcurrentHashMap<>();
  private final Map<String, Turn> degraded = new ConcurrentHashMap<>();

  /** When a kind of event of one name may be told of again, and how many were not. */
  private static final class Turn {
    final AtomicLong next = new AtomicLong(Long.MIN_VALUE);
    final AtomicLong suppressed = new AtomicLong();
  }

  NotifyingStore(Store inner, DecisionListener listener, double share, long interval) {
    super(inner);
    this.listener = listener;
    this.share = share;
    this.interval = interval;
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    Decision answer = inner().run(operation, limit, key, amount);
    if (operation == Operation.HIT) {
      look(answer, answer.allowed());
    }
    return answer;
  }

  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    Decision answer = inner().ask(operation, limit, key, cost);
    if (operation == Operation.HIT) {
      look(answer, answer.allowed());
    }
    return answer;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Decision answer = inner().run(operation, limits);
    if (operation == Operation.HIT) {
      look(limits, answer);
    }
    return answer;
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    CompletionStage<Decision> asked = inner().runAsync(operation, limits);
    return operation != Operation.HIT
        ? asked
        : asked.thenApply(
            answer -> {
              look(limits, answer);
              return answer;
            });
  }

  private void look(List<KeyedLimit> asked, Decision answer) {
    List<Decision> each = answer.limits();
    for (int i = 0; i < each.size(); i++) {
      if (!asked.get(i).isShadow()) {
        look(each.get(i), answer.allowed());
      }
    }
  }

  /** Of several limits, one that had room in a call that was refused has nothing to tell. */
  private void look(Decision answer, boolean passed) {
    if (answer.degraded()) {
      notice(Kind.DEGRADED, degraded, answer);
    }
    if (!answer.allowed()) {
      notice(Kind.REFUSED, refused, answer);
    } else if (passed && share <= 1 && isNear(answer)) {
      notice(Kind.NEAR_LIMIT, nearLimit, answer);
    }
  }

  private boolean isNear(Decision answer) {
    long used = answer.used();
    double whole = (double) used + answer.remaining();
    return whole > 0 && used >= share * whole;
  }

  private void notice(Kind kind, Map<String, Turn> turns, Decision answer) {
    Turn turn = turn(turns, answer.limit().name());
    long now = inner().time().micros();
    long next = turn.next.get();
    if (now < next || !turn.next.compareAndSet(next, now + interval)) {
      turn.suppressed.incrementAndGet();
      return;
    }
    try {
      listener.notice(new DecisionEvent(kind, answer, turn.suppressed.getAndSet(0)));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a listener of decisions failed; the decision stands", e);
    }
  }

  private static Turn turn(Map<String, Turn> turns, String name) {
    Turn known = turns.get(name);
    if (known != null) {
      return known;
    }
    return turns.computeIfAbsent(turns.size() < MOST_NAMES ? name : "", any -> new Turn());
  }
}
