package dev.stint.studio.recommend;

import dev.stint.Limit;
import dev.stint.studio.findings.Findings;
import java.util.BitSet;
import java.util.Locale;

/**
 * What the engine made of a limit.
 *
 * @param span its window, in microseconds
 * @param refused how many requests were refused
 * @param whom whose
 */
record Tried(Limit limit, long span, long refused, BitSet whom) {

  /** The limit with its price. */
  Findings.Proposal proposal(Survey survey) {
    long theirs = requestsOf(whom, survey);
    return new Findings.Proposal(
        limit.toString(),
        1 - (double) whom.cardinality() / survey.keys(),
        whom.cardinality(),
        refused,
        (double) theirs / survey.requests(),
        price(whom, survey));
  }

  /** What it costs to refuse these, in words. */
  static String price(BitSet whom, Survey survey) {
    long noticing = whom.cardinality();
    long keys = survey.keys();
    String never = Percent.down(keys - noticing, keys) + " of clients never notice; refuses ";
    return noticing == 0
        ? never + "nobody"
        : never
            + String.format(
                Locale.ROOT,
                noticing == 1 ? "%,d key that makes " : "%,d keys that make ",
                noticing)
            + Percent.whole(requestsOf(whom, survey), survey.requests())
            + " of requests";
  }

  private static long requestsOf(BitSet whom, Survey survey) {
    return whom.stream().mapToLong(survey::requestsOf).sum();
  }
}
