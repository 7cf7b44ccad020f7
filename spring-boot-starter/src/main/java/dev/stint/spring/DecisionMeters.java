package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of decisions. There are as many as rules allow for, whatever keys come: a key is never
 * a tag.
 */
final class DecisionMeters {

  private final MeterRegistry registry;
  private final Timer allowed;
  private final Timer refused;
  private final Map<String, RuleCounters> rules = new ConcurrentHashMap<>();

  DecisionMeters(MeterRegistry registry) {
    this.registry = registry;
    this.allowed = timer(Verdict.ALLOWED);
    this.refused = timer(Verdict.REFUSED);
  }

  private Timer timer(Verdict outcome) {
    return Timer.builder("stint.decision.duration")
        .description("How long decisions take.")
        .tag("outcome", outcome.word())
        .register(registry);
  }

  /** Reads the clock that durations are measured by. */
  long nanos() {
    return registry.config().clock().monotonicTime();
  }

  /** Counts the answer of one limit. */
  void count(Limit asked, Decision answer, long began) {
    time(answer, began);
    count(asked, answer.allowed() ? Verdict.ALLOWED : Verdict.REFUSED, answer.degraded());
  }

  /** Counts the answers of several limits, once for each of their rules. */
  void count(List<KeyedLimit> asked, Decision answer, long began) {
    time(answer, began);
    List<Decision> answers = answer.limits();
    for (int i = 0; i < answers.size(); i++) {
      if (isFirstOfItsRule(asked, i)) {
        count(asked.get(i).limit(), verdictOfRule(asked, answers, i), answers.get(i).degraded());
      }
    }
  }

  private static boolean isFirstOfItsRule(List<KeyedLimit> asked, int index) {
    String name = asked.get(index).limit().name();
    for (int i = 0; i < index; i++) {
      if (asked.get(i).limit().name().equals(name)) {
        return false;
      }
    }
    return true;
  }

  private static Verdict verdictOfRule(List<KeyedLimit> asked, List<Decision> answers, int first) {
    String name = asked.get(first).limit().name();
    Verdict verdict = Verdict.ALLOWED;
    for (int i = first; i < answers.size(); i++) {
      if (asked.get(i).limit().name().equals(name)) {
        verdict = verdict.or(Verdict.of(asked.get(i), answers.get(i)));
      }
    }
    return verdict;
  }

  private void time(Decision answer, long began) {
    (answer.allowed() ? allowed : refused).record(nanos() - began, TimeUnit.NANOSECONDS);
  }

  private void count(Limit asked, Verdict outcome, boolean degraded) {
    RuleCounters counters = rules.get(asked.name());
    if (counters == null) {
      counters = rules.computeIfAbsent(asked.name(), name -> new RuleCounters(Verdict.rule(asked)));
    }
    counters.of(outcome, degraded).increment();
  }

  /** A rule's counters, each made when it is first needed: looking one up allocates nothing. */
  private final class RuleCounters {

    private final String rule;
    private final Map<Verdict, Counter> sure = new ConcurrentHashMap<>();
    private final Map<Verdict, Counter> degraded = new ConcurrentHashMap<>();

    RuleCounters(String rule) {
      this.rule = rule;
    }

    Counter of(Verdict outcome, boolean isDegraded) {
      Map<Verdict, Counter> counters = isDegraded ? degraded : sure;
      Counter counter = counters.get(outcome);
      return counter != null
          ? counter
          : counters.computeIfAbsent(outcome, word -> made(word, isDegraded));
    }

    private Counter made(Verdict outcome, boolean isDegraded) {
      return Counter.builder("stint.decisions")
          .description("Decisions by rule and by what came of them.")
          .tag("rule", rule)
          .tag("outcome", outcome.word())
          .tag("degraded", Boolean.toString(isDegraded))
          .register(registry);
    }
  }
}
