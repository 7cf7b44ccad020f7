package dev.stint.benchmarks;

import java.util.Map;

/**
 * One figure to be measured, and its place in the report.
 *
 * @param row who or what is measured
 * @param column under which circumstances; cells of one column are measured one after another, so
 *     that whatever else the machine does meets them alike
 * @param benchmark the method, as {@code Class.method}
 * @param quick whether a quick run has it
 */
record Cell(
    Section section,
    String row,
    String column,
    String id,
    String benchmark,
    Map<String, String> params,
    int threads,
    String heap,
    boolean quick) {

  /** A table of the report. */
  enum Section {
    JOINT("Hits on several limits at once"),
    HITS("Hits, all admitted"),
    REFUSALS("Hits on one exhausted key, all refused"),
    MIXED("Hits on 1,000 keys of which half are exhausted"),
    KEPT("Hits whose whole answer is kept"),
    FORMS("Other ways to ask"),
    LOGS("Hits on a full sliding log");

    private final String title;

    Section(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }
}
