package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One limit of a rule under the name that clients see.
 *
 * <p>A rule's only limit has the rule's name; of several, each adds its own name or its window:
 * {@code api.minute}, {@code api.day}.
 *
 * @param limit the limit as it is counted, in the keyspace of its rule
 * @param field the limit as an item of {@code RateLimit-Policy}
 */
record Policy(String name, Limit limit, String field) {

  private static final long MOST = 999_999_999_999_999L;

  static List<Policy> of(Rule rule) {
    return of(rule, rule.name());
  }

  /** The policies of a rule that counts in another keyspace than its name. */
  static List<Policy> of(Rule rule, String keyspace) {
    return of(rule, keyspace, rule.limits());
  }

  /** The policies of a rule with these limits. */
  static List<Policy> of(Rule rule, String keyspace, List<Limit> limits) {
    List<Policy> policies = new ArrayList<>();
    for (Limit limit : limits) {
      Limit counted = limit.named(space(keyspace, limit.name()));
      String name = limits.size() == 1 ? rule.shownName() : name(rule.shownName(), limit, policies);
      policies.add(new Policy(name, counted, field(name, counted)));
    }
    return List.copyOf(policies);
  }

  private static String space(String rule, String limit) {
    return limit.isEmpty() ? rule : rule + "." + limit;
  }

  private static String name(String rule, Limit limit, List<Policy> others) {
    String own = space(rule, limit.name().isEmpty() ? windowOf(limit) : limit.name());
    String name = own;
    for (int i = 2; isTaken(name, others); i++) {
      name = own + "." + i;
    }
    return name;
  }

  private static boolean isTaken(String name, List<Policy> others) {
    return others.stream().anyMatch(other -> other.name.equals(name));
  }

  private static String windowOf(Limit limit) {
    Duration window = limit.window();
    if (window.equals(Decision.NEVER)) {
      return "total";
    }
    if (window.toNanosPart() != 0) {
      return window.toNanos() / 1000 + "us";
    }
    long seconds = window.toSeconds();
    if (seconds == 1) {
      return "second";
    } else if (seconds == 60) {
      return "minute";
    } else if (seconds == 3600) {
      return "hour";
    } else if (seconds == 86_400) {
      return "day";
    }
    return seconds + "s";
  }

  /** The item of {@code RateLimit-Policy} for a limit that may be a share of this policy's. */
  String field(Limit asked) {
    return asked.equals(limit) ? field : field(name, asked);
  }

  private static String field(String name, Limit limit) {
    String field = "\"" + name + "\";q=" + digits(limit.amount());
    boolean endless = limit.window().equals(Decision.NEVER);
    return endless ? field : field + ";w=" + digits(seconds(limit.window()));
  }

  /** An integer of structured fields has at most 15 digits. */
  static long digits(long n) {
    return Math.min(n, MOST);
  }

  /** Whole seconds, rounded up: whoever waits so long has waited enough. */
  static long seconds(Duration duration) {
    return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
  }
}
