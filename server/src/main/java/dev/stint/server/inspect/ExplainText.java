package dev.stint.server.inspect;

import dev.stint.server.text.Wait;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** An explanation for people. */
final class ExplainText {

  private static final DateTimeFormatter TIME = zoned("HH:mm:ss ");
  private static final DateTimeFormatter DAY = zoned("yyyy-MM-dd HH:mm:ss ");

  private final PrintWriter out;
  private final Clock clock;

  ExplainText(PrintWriter out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  void print(Tree told) {
    boolean allowed = told.is("allowed");
    boolean watches = told.text("mode").equals("shadow");
    long cost = (long) told.number("cost");
    out.printf(
        "%s for %s%s: %s%n",
        Tree.shown(told.text("policy")),
        Tree.shown(told.text("key")),
        cost == 1 ? "" : " at a cost of " + cost,
        allowed ? "allowed" : watches ? "would be refused, but passes" : "refused");
    if (!allowed) {
      line("free", free(told));
    }
    line("rule", rule(told.at("rule")));
    List<Tree> limits = told.list("limits");
    for (Tree limit : limits) {
      line("limit", limit(limit, limits.size() > 1));
    }
    line("why", Tree.shown(told.text("why")));
    if (told.has("candidate")) {
      Tree candidate = told.at("candidate");
      line(
          "tried",
          "the candidate "
              + Tree.shown(candidate.text("name"))
              + " would "
              + (candidate.is("allowed") ? "allow" : "refuse")
              + " it");
    }
  }

  private void line(String name, String text) {
    out.printf("  %-6s %s%n", name, text);
  }

  private String free(Tree told) {
    return told.has("retryAfterMicros") ? in(told.number("retryAfterMicros")) : "never";
  }

  /** Such as {@code in 12.3 s, at 14:03:07 UTC}; the date is added where it is another day. */
  private String in(double micros) {
    ZonedDateTime now = ZonedDateTime.now(clock);
    ZonedDateTime then = now.plus(Duration.of((long) micros, ChronoUnit.MICROS));
    boolean isToday = then.toLocalDate().equals(now.toLocalDate());
    return "in " + Wait.of((long) micros) + ", at " + then.format(isToday ? TIME : DAY);
  }

  /** With the distance from UTC: the short name of a zone may be that of several. */
  private static DateTimeFormatter zoned(String pattern) {
    return new DateTimeFormatterBuilder()
        .appendPattern(pattern)
        .appendOffset("+HH:MM", "UTC")
        .toFormatter(Locale.ROOT);
  }

  private String rule(Tree rule) {
    String text = Tree.shown(rule.text("text"));
    return switch (rule.text("kind")) {
      case "usual" -> "the usual limits of the policy";
      case "exact" -> "the override for the key " + text;
      case "prefix" -> "the override for keys that begin with " + text;
      case "grant" -> "a grant, which ends " + until(rule);
      case "block" -> "a block, which ends " + until(rule);
      case "rls" -> text;
      case "none" -> "none";
      default -> Tree.shown(rule.text("kind")) + " " + text;
    };
  }

  private String until(Tree rule) {
    return in((rule.number("until") - clock.millis()) * 1000);
  }

  private String limit(Tree limit, boolean isOneOfSeveral) {
    return String.format(
        Locale.ROOT,
        "%s: %.0f of %.0f used, %.0f left%s%s",
        Tree.shown(limit.text("limit")),
        limit.number("used"),
        limit.number("capacity"),
        limit.number("remaining"),
        limit.is("allowed") || !limit.has("retryAfterMicros")
            ? ""
            : ", free " + in(limit.number("retryAfterMicros")),
        isOneOfSeveral && limit.is("decides") ? " (decides)" : "");
  }
}
