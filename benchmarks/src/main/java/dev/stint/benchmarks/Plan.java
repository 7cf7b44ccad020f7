package dev.stint.benchmarks;

import static dev.stint.benchmarks.Contestant.BUCKET4J_CAFFEINE;
import static dev.stint.benchmarks.Contestant.BUCKET4J_MAP;
import static dev.stint.benchmarks.Contestant.CELL_MAP;
import static dev.stint.benchmarks.Contestant.RESILIENCE4J;
import static dev.stint.benchmarks.Contestant.STINT_AMONG_OTHERS;
import static dev.stint.benchmarks.Contestant.STINT_FIXED_WINDOW;
import static dev.stint.benchmarks.Contestant.STINT_FIXED_WINDOW_PER_KEY;
import static dev.stint.benchmarks.Contestant.STINT_QUOTA;
import static dev.stint.benchmarks.Contestant.STINT_SLIDING_COUNTER;
import static dev.stint.benchmarks.Contestant.STINT_SLIDING_LOG;
import static dev.stint.benchmarks.Contestant.STINT_TOKEN_BUCKET;

import dev.stint.benchmarks.Cell.Section;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Everything that is measured in one process per figure, in the order of measuring. */
final class Plan {

  /** The rows of {@link Floor}. */
  static final String FLOOR = "the floor: clock and compare-and-set";

  static final String KEY = "the key string alone";

  /** Who is measured with ten million keys: filling takes too long to have everybody. */
  private static final Set<Contestant> LARGE =
      EnumSet.of(
          STINT_TOKEN_BUCKET,
          STINT_FIXED_WINDOW,
          STINT_SLIDING_COUNTER,
          STINT_SLIDING_LOG,
          BUCKET4J_MAP);

  private static final int[] THREADS = {1, 2};

  private final List<Cell> cells = new ArrayList<>();

  private Plan() {}

  static List<Cell> cells() {
    Plan plan = new Plan();
    plan.forms(Section.JOINT, Stream.of(Form.values()).filter(Form::isJoint).toList());
    for (KeySet keys : KeySet.values()) {
      for (int threads : THREADS) {
        plan.hits(keys, threads);
      }
    }
    plan.refusals();
    plan.mixed();
    plan.kept();
    plan.forms(Section.FORMS, Stream.of(Form.values()).filter(form -> !form.isJoint()).toList());
    plan.logs();
    return plan.cells;
  }

  static String column(KeySet keys, int threads) {
    return keys.label() + ", " + threads + " T";
  }

  private void hits(KeySet keys, int threads) {
    boolean large = keys == KeySet.TEN_MILLION;
    Set<Contestant> quick = quickHits(keys, threads);
    for (Contestant contestant : Contestant.values()) {
      if (!large || LARGE.contains(contestant)) {
        traffic(Section.HITS, "hit", contestant, keys, threads, Answers.ADMITTED, quick);
      }
    }
    String column = column(keys, threads);
    boolean one = threads == 1;
    floor(FLOOR, column, "floor", keys, threads, one ? keys != KeySet.ZIPF : keys == KeySet.HOT);
    floor(KEY, column, "key", keys, threads, one && (keys == KeySet.HOT || keys == KeySet.MILLION));
  }

  /** Whom a quick run has: at one thread nearly all, at two those whom a target names. */
  private static Set<Contestant> quickHits(KeySet keys, int threads) {
    Set<Contestant> rivals = EnumSet.of(STINT_TOKEN_BUCKET, BUCKET4J_MAP);
    if (threads > 1) {
      return keys == KeySet.HOT || keys == KeySet.THOUSAND ? rivals : Set.of();
    }
    return switch (keys) {
      case TEN_MILLION -> rivals;
      case ZIPF -> EnumSet.of(STINT_TOKEN_BUCKET, BUCKET4J_MAP, BUCKET4J_CAFFEINE, RESILIENCE4J);
      default ->
          EnumSet.complementOf(
              EnumSet.of(STINT_FIXED_WINDOW_PER_KEY, STINT_QUOTA, STINT_AMONG_OTHERS, CELL_MAP));
    };
  }

  private void refusals() {
    for (int threads : THREADS) {
      Set<Contestant> quick =
          threads == 2
              ? EnumSet.of(STINT_TOKEN_BUCKET, BUCKET4J_MAP, RESILIENCE4J)
              : EnumSet.noneOf(Contestant.class);
      for (Contestant contestant : Contestant.values()) {
        traffic(Section.REFUSALS, "hit", contestant, KeySet.HOT, threads, Answers.REFUSED, quick);
      }
    }
  }

  private void mixed() {
    Set<Contestant> quick = EnumSet.of(STINT_TOKEN_BUCKET, BUCKET4J_MAP);
    for (Contestant contestant : Contestant.values()) {
      // A log's window must be short to admit this much, too short for a key to stay exhausted.
      if (!contestant.isLog()) {
        traffic(Section.MIXED, "hit", contestant, KeySet.THOUSAND, 1, Answers.MIXED, quick);
      }
    }
  }

  private void kept() {
    Set<Contestant> quick = EnumSet.of(STINT_TOKEN_BUCKET, BUCKET4J_MAP);
    for (KeySet keys : List.of(KeySet.HOT, KeySet.MILLION)) {
      for (Contestant contestant : Contestant.values()) {
        if (contestant.isStint() || contestant == BUCKET4J_MAP) {
          traffic(
              Section.KEPT,
              "kept",
              contestant,
              keys,
              1,
              Answers.ADMITTED,
              keys == KeySet.HOT ? quick : Set.of());
        }
      }
    }
  }

  private void forms(Section section, List<Form> forms) {
    for (KeySet keys : List.of(KeySet.HOT, KeySet.MILLION)) {
      String column = column(keys, 1);
      for (Form form : forms) {
        // One key cannot be three.
        if (keys != KeySet.HOT || form != Form.THREE_KEYS) {
          cells.add(
              new Cell(
                  section,
                  form.label(),
                  column,
                  id(section, column, form.slug()),
                  "Forms.hit",
                  Map.of("form", form.name(), "keys", keys.name()),
                  1,
                  heap(keys),
                  form.isJoint() || keys == KeySet.HOT));
        }
      }
    }
  }

  private void logs() {
    for (int amount : new int[] {100, 10_000}) {
      String row = logRow(amount);
      cells.add(
          new Cell(
              Section.LOGS,
              row,
              "hot, 1 T",
              id(Section.LOGS, "hot, 1 T", "log-" + amount),
              "FullLog.hit",
              Map.of("amount", Integer.toString(amount)),
              1,
              heap(KeySet.HOT),
              true));
    }
  }

  static String logRow(int amount) {
    return "Stint sliding log of %,d, full".formatted(amount);
  }

  private void traffic(
      Section section,
      String method,
      Contestant contestant,
      KeySet keys,
      int threads,
      Answers answers,
      Set<Contestant> quick) {
    String column = column(keys, threads);
    cells.add(
        new Cell(
            section,
            contestant.label(),
            column,
            id(section, column, contestant.slug()),
            "Traffic." + method,
            Map.of("contestant", contestant.name(), "keys", keys.name(), "answers", answers.name()),
            threads,
            heap(keys),
            quick.contains(contestant)));
  }

  private void floor(
      String row, String column, String slug, KeySet keys, int threads, boolean quick) {
    cells.add(
        new Cell(
            Section.HITS,
            row,
            column,
            id(Section.HITS, column, slug),
            "Floor." + slug,
            Map.of("keys", keys.name()),
            threads,
            heap(keys),
            quick));
  }

  /** Ample for everyone: so much that what is retained never sets off a marking cycle. */
  private static String heap(KeySet keys) {
    return keys == KeySet.TEN_MILLION ? "12g" : "6g";
  }

  private static String id(Section section, String column, String slug) {
    String place = column.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return section.name().toLowerCase(Locale.ROOT) + "/" + place + "/" + slug;
  }
}
