package dev.stint;

import java.util.List;

/** Finds the word somebody meant, for messages about words that nobody knows. */
public final class Spelling {
  /** Longer words are nobody's slip of the pen; this also bounds the work done for hostile ones. */
  private static final int LONGEST = 32;

  private Spelling() {}

  /**
   * The end of a message about a word: what was meant, if a known word is near, or else {@code
   * otherwise}.
   */
  public static String hint(String word, List<String> known, String otherwise) {
    String nearest = nearest(word, known);
    return nearest.isEmpty() ? otherwise : "; did you mean '" + nearest + "'?";
  }

  /**
   * The known word that {@code word} begins or, failing that, the one with the fewest slips (a
   * letter added, missing, replaced, or two swapped), at most one in three letters; the first of
   * equals. Empty when none is near.
   */
  public static String nearest(String word, List<String> known) {
    if (word.isEmpty() || word.length() > LONGEST) {
      return "";
    }
    for (String candidate : known) {
      if (candidate.startsWith(word)) {
        return candidate;
      }
    }
    String nearest = "";
    int fewest = Integer.MAX_VALUE;
    for (String candidate : known) {
      int slips = slips(word, candidate);
      if (slips < fewest && slips * 3 <= Math.max(word.length(), candidate.length())) {
        nearest = candidate;
        fewest = slips;
      }
    }
    return nearest;
  }

  /** The optimal string alignment distance. */
  private static int slips(String a, String b) {
    int[][] least = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        least[i][j] = i == 0 || j == 0 ? i + j : cheapest(least, a, b, i, j);
      }
    }
    return least[a.length()][b.length()];
  }

  private static int cheapest(int[][] least, String a, String b, int i, int j) {
    int replaced = least[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replaced, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, 1 + least[i - 2][j - 2]) : best;
  }
}
