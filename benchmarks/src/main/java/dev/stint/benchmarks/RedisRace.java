package dev.stint.benchmarks;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Lets the contestants take turns in a scenario: each a short round, then all again. */
final class RedisRace {

  /** How long it takes. */
  record Pace(int warmups, int rounds, long millis) {
    static final Pace QUICK = new Pace(2, 7, 400);
    static final Pace FULL = new Pace(3, 21, 1_000);

    @Override
    public String toString() {
      return "%d × %d ms each in turn, after %d to warm up".formatted(rounds, millis, warmups);
    }
  }

  private final RedisUnderTest redis;
  private final Pace pace;

  RedisRace(RedisUnderTest redis, Pace pace) {
    this.redis = redis;
    this.pace = pace;
  }

  /** Runs what nobody looks at, so that the first scenario does not pay for the compiler. */
  void warmUp() throws InterruptedException {
    new RedisRace(redis, new Pace(0, 3, 1_000)).run(RedisScenario.many(8));
  }

  RedisFigure run(RedisScenario scenario) throws InterruptedException {
    redis.empty();
    Map<RedisContestant, RedisSubject> subjects = new EnumMap<>(RedisContestant.class);
    try {
      for (RedisContestant contestant : RedisContestant.values()) {
        RedisSubject subject = contestant.open(redis.uri(), scenario.answers());
        subjects.put(contestant, subject);
        Callers.prepare(subject, scenario);
      }
      RedisFigure figure = new RedisFigure(scenario);
      for (int round = -pace.warmups(); round < pace.rounds(); round++) {
        for (Map.Entry<RedisContestant, RedisSubject> entry : subjects.entrySet()) {
          CommandStats before = redis.stats();
          Callers.Tally tally = Callers.ask(entry.getValue(), scenario, pace.millis());
          CommandStats ran = redis.stats().since(before);
          if (round >= 0) {
            figure.add(entry.getKey(), tally, ran);
          }
        }
      }
      return figure;
    } finally {
      subjects.values().forEach(RedisSubject::close);
    }
  }

  /** What is told of a scenario while the run goes on. */
  static void tell(RedisFigure figure, Consumer<String> progress) {
    StringBuilder text = new StringBuilder(figure.scenario().id()).append(":");
    for (RedisContestant contestant : RedisContestant.values()) {
      text.append(
          " %s %.1f k/s".formatted(contestant.slug(), figure.perSecond(contestant).median() / 1e3));
    }
    progress.accept(text.toString());
  }
}
