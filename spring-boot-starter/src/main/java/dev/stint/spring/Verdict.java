package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import java.util.List;
import java.util.Locale;

/** What came of asking a rule, as metrics and spans say it. */
enum Verdict {
  ALLOWED,
  REFUSED,
  /** A rule that only watches would have refused. */
  SHADOW_REFUSED;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The value of a tag. */
  String word() {
    return word;
  }

  /** Of one limit that was asked, be its answer what decided or not. */
  static Verdict of(KeyedLimit asked, Decision answer) {
    if (answer.allowed()) {
      return ALLOWED;
    }
    return asked.isShadow() ? SHADOW_REFUSED : REFUSED;
  }

  /** Of all limits that were asked together. */
  static Verdict of(List<KeyedLimit> asked, Decision answer) {
    if (!answer.allowed()) {
      return REFUSED;
    }
    List<Decision> answers = answer.limits();
    for (int i = 0; i < answers.size(); i++) {
      if (of(asked.get(i), answers.get(i)) == SHADOW_REFUSED) {
        return SHADOW_REFUSED;
      }
    }
    return ALLOWED;
  }

  /** The more telling one. */
  Verdict or(Verdict other) {
    return this == ALLOWED ? other : this;
  }

  /** The rule that a limit belongs to: its name is the rule's. */
  static String rule(Limit limit) {
    return limit.name().isEmpty() ? "none" : limit.name();
  }
}
