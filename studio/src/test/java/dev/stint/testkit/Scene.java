package dev.stint.testkit;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.testkit.Fact.Aspect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A scene of a timeline as a list of hits, for whoever is no store and can only be hit.
 *
 * <p>It lies in this package to see what a step is made of.
 */
public final class Scene {

  private final Timeline timeline;
  private final List<Step> steps;

  /** The scene without what only looks: that changes nothing for the hits that follow. */
  public Scene(Timeline timeline) {
    this.timeline = timeline;
    this.steps =
        timeline.steps().stream()
            .filter(
                step ->
                    switch (step.verb()) {
                      case PEEK, GET, EXPIRES_AT -> false;
                      default -> true;
                    })
            .toList();
  }

  /** One hit: when, in microseconds since the start, on which key, and how much. */
  public record Hit(long at, String key, long cost, String told) {}

  /** What is in it that is no hit on all its limits in forward time; empty if nothing is. */
  public String obstacle() {
    if (steps.isEmpty()) {
      return "it has no hit";
    }
    long before = 0;
    for (Step step : steps) {
      if (step.verb() != Step.Verb.HIT) {
        return "it has more than hits";
      }
      if (step.targets().stream().anyMatch(Step.Target::shadow)) {
        return "it has a shadow";
      }
      if (!isOnAll(step)) {
        return "it hits some of its limits, or several keys";
      }
      if (step.at() < before) {
        return "its clock steps back";
      }
      before = step.at();
    }
    return "";
  }

  private boolean isOnAll(Step step) {
    if (step.isOwn()) {
      return true;
    }
    List<Step.Target> targets = step.targets();
    // In the order of the limits too, which decides between equals.
    return targets.stream().map(target -> timeline.limit(target.label())).toList().equals(limits())
        && targets.stream().map(Step.Target::key).distinct().count() == 1
        && targets.stream().mapToLong(Step.Target::n).distinct().count() == 1;
  }

  public List<Limit> limits() {
    return timeline.limits();
  }

  /** When it starts, if that matters. */
  public Optional<Instant> start() {
    return timeline.start();
  }

  public List<Hit> hits() {
    return steps.stream()
        .map(
            step -> {
              Step.Target target = step.targets().get(0);
              return new Hit(step.at(), target.key(), target.n(), told(step));
            })
        .toList();
  }

  private String told(Step step) {
    return timeline.source() + ":" + step.line() + ": " + step.text();
  }

  /**
   * Every expectation of the hit of this number that these words do not fulfil, such as {@code 4
   * left}.
   */
  public List<String> unmet(int hit, List<String> words) {
    return steps.get(hit).facts().stream()
        .filter(fact -> isTold(fact.aspect()))
        .map(Fact::text)
        .filter(text -> !words.contains(text))
        .toList();
  }

  /** How many expectations that is at most. */
  public int expectations() {
    return steps.stream()
        .mapToInt(step -> (int) step.facts().stream().filter(f -> isTold(f.aspect())).count())
        .sum();
  }

  private static boolean isTold(Aspect aspect) {
    return switch (aspect) {
      case VERDICT, BY, LEFT, USED, RETRY, RESET -> true;
      default -> false;
    };
  }

  /** What an answer says, in the words of a timeline. */
  public List<String> words(
      boolean allowed,
      String limit,
      long left,
      long used,
      @Nullable Long retry,
      @Nullable Long reset) {
    return List.of(
        allowed ? "allowed" : "denied",
        "by " + timeline.label(Limit.parse(limit)),
        left + " left",
        used + " used",
        after(Aspect.RETRY, retry),
        after(Aspect.RESET, reset));
  }

  /** What a decision says, in the same words. */
  public List<String> words(Decision decision) {
    return Fact.of(decision, timeline::label).stream()
        .filter(fact -> isTold(fact.aspect()))
        .map(Fact::text)
        .toList();
  }

  private static String after(Aspect aspect, @Nullable Long micros) {
    return (micros == null ? Fact.never(aspect) : Fact.after(aspect, micros)).text();
  }

  @Override
  public String toString() {
    return timeline.toString();
  }
}
