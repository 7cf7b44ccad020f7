package dev.stint.server.engine;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.http.HeaderFormat;
import dev.stint.http.Rule;
import dev.stint.http.RuleAnswers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a key is under, and how their decisions are told.
 *
 * @param only the limit, if there is one only: it is asked a shorter way
 */
public record Terms(RuleAnswers answers, List<Limit> limits, @Nullable Limit only) {

  /** What the names of the service's own keyspaces begin with; clients do not see it. */
  private static final String OWN = "_";

  static Terms of(String name, List<Limit> limits, HeaderFormat format, Store store) {
    String shown = name.startsWith(OWN) ? name.substring(OWN.length()) : name;
    Rule rule = Rule.of(shown, limits.toArray(Limit[]::new));
    RuleAnswers answers = RuleAnswers.of(rule, name, format, store);
    List<Limit> counted = answers.limits();
    return new Terms(answers, counted, counted.size() == 1 ? counted.get(0) : null);
  }

  /** The limits on a key, each with these units. */
  List<KeyedLimit> on(Key key, long units) {
    List<KeyedLimit> all = new ArrayList<>(limits.size());
    for (Limit limit : limits) {
      all.add(limit.on(key).amount(units));
    }
    return all;
  }
}
