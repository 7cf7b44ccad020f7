package dev.stint.http;

import dev.stint.lab.HeaderCase;
import java.util.Locale;
import java.util.Map;

/** The rule of a case, from its words. */
public final class RuleOfCase {

  private RuleOfCase() {}

  public static Rule of(HeaderCase asked) {
    Map<String, String> words = asked.rule();
    Rule rule = Rule.of(HeaderCase.RULE, words.get("limit"));
    for (Map.Entry<String, String> word : words.entrySet()) {
      String value = word.getValue();
      rule =
          switch (word.getKey()) {
            case "limit" -> rule;
            case "by" -> rule.by(KeySource.parse(value));
            case "cost" -> rule.cost(Long.parseLong(value));
            case "headers" -> rule.headers(HeaderFormat.valueOf(value.toUpperCase(Locale.ROOT)));
            case "match" -> on(rule, value.split(" ", 2));
            case "missing-key" ->
                rule.missingKey(MissingKey.valueOf(value.toUpperCase(Locale.ROOT)));
            case "mode" -> value.equals("shadow") ? rule.shadow() : rule;
            default -> throw new IllegalArgumentException("a case must say known words: " + word);
          };
    }
    return rule;
  }

  private static Rule on(Rule rule, String... match) {
    return match.length == 1 ? rule.on(match[0]) : rule.on(match[0], match[1]);
  }
}
