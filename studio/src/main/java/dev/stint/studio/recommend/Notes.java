package dev.stint.studio.recommend;

import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Distribution;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What makes a log too little to build on, said plainly. */
final class Notes {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final long DAY = 24 * 60 * Span.MINUTE;

  private Notes() {}

  static List<String> of(Survey survey, BigDecimal share) {
    List<String> notes = new ArrayList<>();
    int keys = survey.keys();
    if (keys > 0 && share.compareTo(HUNDRED) < 0 && Percent.of(share, keys) == keys) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s of %s are all of them, so the busiest one alone decides; this share needs %,d"
                  + " clients or more, for fewer take a lower --share",
              Percent.text(share),
              keys == 1 ? "one client" : String.format(Locale.ROOT, "%,d clients", keys),
              HUNDRED.divide(HUNDRED.subtract(share), 0, RoundingMode.CEILING).longValueExact()));
    }
    List<String> tooLong =
        survey.distributions().stream()
            .map(Distribution::span)
            .filter(span -> !survey.covers(span))
            .map(Span::exactly)
            .toList();
    if (keys > 0 && !tooLong.isEmpty()) {
      notes.add(
          "the log covers "
              + Span.covered(survey.length())
              + ", too little to propose a limit over "
              + String.join(" or ", tooLong));
    }
    if (keys > 0 && survey.length() < DAY) {
      notes.add(
          "the log covers "
              + Span.covered(survey.length())
              + "; what happens at other times of day is not in it");
    }
    return notes;
  }
}
