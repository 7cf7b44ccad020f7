package dev.stint.studio.recommend;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Parts of a whole, counted and told so that nothing is made to look better than it is. */
final class Percent {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private Percent() {}

  /** How many of {@code all} are at least so many percent of them. */
  static long of(BigDecimal percent, long all) {
    return percent
        .multiply(BigDecimal.valueOf(all))
        .divide(HUNDRED, 0, RoundingMode.CEILING)
        .longValueExact();
  }

  /** Rounded down to two digits: 1 of 100,000 left out is not told as 100 %. */
  static String down(long part, long all) {
    BigDecimal percent =
        BigDecimal.valueOf(part)
            .multiply(HUNDRED)
            .divide(BigDecimal.valueOf(all), 2, RoundingMode.DOWN);
    return text(percent);
  }

  /** Whole percent; what is there is never told as 0, and what is not all never as 100. */
  static String whole(long part, long all) {
    double percent = 100.0 * part / all;
    if (part > 0 && percent < 1) {
      return "less than 1 %";
    }
    if (part < all && percent > 99) {
      return "more than 99 %";
    }
    return String.format(Locale.ROOT, "%.0f %%", percent);
  }

  /** Without zeros that say nothing. */
  static String text(BigDecimal percent) {
    return percent.stripTrailingZeros().toPlainString() + " %";
  }
}
