package dev.stint.benchmarks;

import java.time.Duration;

/** Whoever decides in Redis, and the floor below them. */
enum RedisContestant {
  STINT("Stint", "stint"),
  BUCKET4J("Bucket4j", "bucket4j"),
  REDISSON("Redisson", "redisson"),
  MINIMAL("a minimal script", "minimal"),
  FLOOR("the floor", "floor");

  /** More than one key is asked for in a whole run, and so slow that keys stay in debt. */
  private static final Rate ADMITTING = new Rate(10_000_000, Duration.ofSeconds(1000));

  /** So slow that an exhausted key stays so. */
  private static final Rate REFUSING = Rate.perDay(10);

  private final String label;
  private final String slug;

  RedisContestant(String label, String slug) {
    this.label = label;
    this.slug = slug;
  }

  String label() {
    return label;
  }

  String slug() {
    return slug;
  }

  /** Connects. */
  RedisSubject open(String uri, Answers answers) {
    return open(uri, answers == Answers.ADMITTED ? ADMITTING : REFUSING, answers);
  }

  private RedisSubject open(String uri, Rate rate, Answers answers) {
    return switch (this) {
      case STINT -> new StintInRedis(uri, rate, answers == Answers.REFUSED);
      case BUCKET4J -> new Bucket4jInRedis(uri, rate);
      case REDISSON -> new RedissonLimiter(uri, rate);
      case MINIMAL -> new MinimalScript(uri, rate);
      case FLOOR -> new TrivialScript(uri, answers == Answers.ADMITTED);
    };
  }

  /**
   * How often the client called, scripts aside. Only Bucket4j does: it reads with a plain GET and
   * then swaps by a script, which itself runs one GET.
   */
  long plainCalls(CommandStats stats) {
    return this == BUCKET4J ? Math.max(0, stats.calls("get") - stats.scripts()) : 0;
  }
}
