package dev.stint.testkit;

import dev.stint.testkit.Fact.Aspect;
import dev.stint.testkit.Step.Target;
import dev.stint.testkit.Step.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads the steps of one scene. A step begins with a time and nothing else does, so where lines end
 * does not matter.
 */
final class StepParser {

  private static final Set<String> RESERVED = Set.of("of", "and", "as", "shadow");

  private final Tokens tokens;
  private final List<String> labels;
  private final Set<String> named = new HashSet<>();

  StepParser(Tokens tokens, List<String> labels) {
    this.tokens = tokens;
    this.labels = labels;
  }

  List<Step> all() {
    List<Step> steps = new ArrayList<>();
    long now = 0;
    while (tokens.hasNext()) {
      Step step = step(now);
      steps.add(step);
      now = step.at();
    }
    return steps;
  }

  private Step step(long before) {
    int from = tokens.position();
    int line = tokens.line();
    long at = time(before);
    Verb verb = verb();
    String refunds = verb == Verb.REFUND && named.contains(tokens.peek()) ? tokens.take("") : null;
    List<Target> targets = refunds != null || verb == Verb.CLEAN ? List.of() : targets(verb);
    String name = verb == Verb.HIT && tokens.skip("as") ? name() : null;
    List<Fact> facts = new ArrayList<>();
    Map<Integer, List<Fact>> parts = new LinkedHashMap<>();
    if (tokens.skip("→") || tokens.skip("->")) {
      facts(verb, facts);
      while (tokens.skip(";")) {
        int part = part(targets);
        List<Fact> own = new ArrayList<>();
        facts(verb, own);
        parts.put(part, own);
      }
    }
    if (tokens.hasNext() && !isTime(tokens.peek())) {
      throw tokens.error(
          "expected '→', the time of a next step, or the end: '" + tokens.peek() + "'");
    }
    String text = tokens.text(from, tokens.position());
    return new Step(line, text, at, verb, targets, name, refunds, facts, parts);
  }

  private static boolean isTime(String word) {
    return Span.looksLike(word.replaceFirst("^[+-]", ""));
  }

  /** From the start, or with a sign: {@code +} from the step before, {@code -} before the start. */
  private long time(long before) {
    String word = tokens.peek();
    if (!isTime(word)) {
      throw tokens.error("a step must begin with its time, such as 250ms: '" + word + "'");
    }
    tokens.take("a time");
    try {
      long micros = Span.parse(word);
      return word.startsWith("+") ? before + micros : word.startsWith("-") ? -micros : micros;
    } catch (IllegalArgumentException e) {
      tokens.back();
      throw tokens.error(String.valueOf(e.getMessage()));
    }
  }

  private Verb verb() {
    String word = tokens.peek();
    for (Verb verb : Verb.values()) {
      if (tokens.skip(verb.word)) {
        return verb;
      }
    }
    List<String> words = new ArrayList<>();
    for (Verb verb : Verb.values()) {
      words.add(verb.word);
    }
    throw tokens.error(
        "unknown operation '" + word + "'; did you mean '" + nearest(word, words) + "'?");
  }

  private List<Target> targets(Verb verb) {
    List<Target> targets = new ArrayList<>();
    do {
      int position = tokens.position();
      Target target = target(verb);
      if (!targets.isEmpty() && !verb.takesSeveral) {
        throw tokens.errorAt(position, verb.word + " must have one limit; use a step for each");
      }
      boolean joint = !targets.isEmpty() || tokens.nextIs("and") || target.shadow();
      if (joint && target.label() == null && labels.size() != 1) {
        throw tokens.errorAt(
            position, "each part of a joint call must name its limit: '1 of <limit> @<key>'");
      }
      targets.add(target);
    } while (tokens.skip("and"));
    return targets;
  }

  private Target target(Verb verb) {
    long n = 1;
    if (Character.isDigit(firstOf(tokens.peek())) && !isTime(tokens.peek())) {
      n = tokens.takeNumber("an amount");
      if (!verb.takesNumber) {
        tokens.back();
        throw tokens.error(verb.word + " takes no amount: " + n);
      }
    }
    String label = tokens.skip("of") ? label() : null;
    String key = "key";
    if (tokens.peek().startsWith("@") && tokens.peek().length() > 1) {
      key = tokens.take("a key").substring(1);
    }
    boolean shadow = verb.asks() && tokens.skip("shadow");
    return new Target(n, label, key, shadow);
  }

  private static char firstOf(String word) {
    return word.isEmpty() ? ' ' : word.charAt(0);
  }

  private String label() {
    String word = tokens.peek();
    if (!labels.contains(word)) {
      throw tokens.error(
          labels.isEmpty() || labels.contains("")
              ? "no limit of this scene has a label: '"
                  + word
                  + "'; give it one with 'limit "
                  + word
                  + ":'"
              : "unknown limit '" + word + "'; did you mean '" + nearest(word, labels) + "'?");
    }
    return tokens.take("a limit");
  }

  private String name() {
    String word = tokens.take("a name");
    if (!Character.isLetter(firstOf(word)) || RESERVED.contains(word) || !named.add(word)) {
      tokens.back();
      throw tokens.error("the name of a hit must be a word of its own: '" + word + "'");
    }
    return word;
  }

  /** The position in the call of the limit that the next expectations are about. */
  private int part(List<Target> targets) {
    String label = label();
    if (!tokens.skip(":")) {
      throw tokens.error("expected ':' after the limit's name: '" + tokens.peek() + "'");
    }
    int found = -1;
    for (int i = 0; i < targets.size(); i++) {
      found = label.equals(targets.get(i).label()) ? i : found;
    }
    // Without names the call goes to all limits, in their order.
    found = targets.size() == 1 && targets.get(0).label() == null ? labels.indexOf(label) : found;
    if (found < 0) {
      throw tokens.error("limit '" + label + "' is not part of this step");
    }
    return found;
  }

  private void facts(Verb verb, List<Fact> facts) {
    do {
      Fact fact = fact();
      if (!verb.answers(fact.aspect())) {
        tokens.back();
        throw tokens.error(
            verb.answersNothing()
                ? verb.word + " answers nothing; expect it of a get or peek in the next step"
                : "'" + fact + "' is no answer to " + verb.word);
      }
      facts.add(fact);
    } while (tokens.skip(",") || tokens.nextIs("by"));
  }

  private Fact fact() {
    String word = tokens.peek();
    if (Character.isDigit(firstOf(word))) {
      return counted(tokens.takeNumber("a number"));
    }
    tokens.take("an expectation");
    return switch (word) {
      case "allowed", "denied" -> new Fact(Aspect.VERDICT, word);
      case "by" -> new Fact(Aspect.BY, "by " + label());
      case "retry", "next", "reset" -> in(Aspect.valueOf(word.toUpperCase(Locale.ROOT)));
      case "full" -> new Fact(Aspect.NEXT, "full");
      case "not" -> flag(false, tokens.take("'shared' or 'degraded'"));
      case "shared", "degraded" -> flag(true, word);
      case "count" -> Fact.count(tokens.takeNumber("a count"));
      case "at" -> Fact.expiry(tokens.takeSpan("a moment"));
      case "never", "nothing" -> new Fact(Aspect.EXPIRY, word);
      default -> throw unknown(word);
    };
  }

  private IllegalArgumentException unknown(String word) {
    tokens.back();
    List<String> words =
        List.of(
            "allowed",
            "denied",
            "by",
            "retry",
            "next",
            "reset",
            "full",
            "shared",
            "degraded",
            "count",
            "at",
            "never",
            "nothing");
    return tokens.error(
        "unknown expectation '" + word + "'; did you mean '" + nearest(word, words) + "'?");
  }

  private Fact counted(long number) {
    String word = tokens.take("'left', 'used' or 'forgotten'");
    return switch (word) {
      case "left" -> new Fact(Aspect.LEFT, number + " left");
      case "used" -> new Fact(Aspect.USED, number + " used");
      case "forgotten" -> Fact.forgotten(number);
      default -> {
        tokens.back();
        throw tokens.error(
            "expected 'left', 'used' or 'forgotten' after " + number + ": '" + word + "'");
      }
    };
  }

  private Fact in(Aspect aspect) {
    if (tokens.skip("never")) {
      return Fact.never(aspect);
    }
    if (!tokens.skip("in")) {
      throw tokens.error("expected 'in' and a time, or 'never': '" + tokens.peek() + "'");
    }
    return Fact.after(aspect, tokens.takeSpan("a time"));
  }

  private Fact flag(boolean set, String word) {
    if (!word.equals("shared") && !word.equals("degraded")) {
      tokens.back();
      throw tokens.error("expected 'shared' or 'degraded' after 'not': '" + word + "'");
    }
    return Fact.flag(word.equals("shared") ? Aspect.SHARED : Aspect.DEGRADED, set);
  }

  /** The word that shares most of its letters, in order, with {@code word}. */
  private static String nearest(String word, List<String> words) {
    String best = words.get(0);
    int fewest = Integer.MAX_VALUE;
    for (String candidate : words) {
      int edits = edits(word, candidate);
      best = edits < fewest ? candidate : best;
      fewest = Math.min(edits, fewest);
    }
    return best;
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
