package dev.stint.benchmarks;

import static dev.stint.benchmarks.Contestant.BUCKET4J_MAP;
import static dev.stint.benchmarks.Contestant.STINT_TOKEN_BUCKET;

import dev.stint.Decision;
import dev.stint.benchmarks.Cell.Section;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is expected of Stint. Speeds are ratios within one run, of the token bucket to Bucket4j in a
 * ConcurrentHashMap, because those two do the same.
 */
final class Targets {

  private static final String RATIO = "%.2f×";
  private static final String BYTES = "%.1f B";
  private static final String MILLIS = "%.2f ms";

  /** Background allocation of the harness and of the JVM, spread over the hits of an iteration. */
  private static final double NOTHING = 0.5;

  /** "The same", on a machine where the same is never quite the same. */
  private static final double SAME = 1.15;

  private final Results results;
  private final List<Target> targets = new ArrayList<>();

  private Targets(Results results) {
    this.results = results;
  }

  static List<Target> of(Results results) {
    Targets targets = new Targets(results);
    targets.joint();
    targets.speed();
    targets.allocation();
    targets.memory();
    targets.logs();
    targets.scale();
    return targets.targets;
  }

  private void joint() {
    fasterJointly("three limits on one hot key", 1.0, KeySet.HOT);
    fasterJointly("three limits on each of 1 M keys", 3.0, KeySet.MILLION);
    String hot = Plan.column(KeySet.HOT, 1);
    Optional<Double> single = nanos(Section.HITS, STINT_TOKEN_BUCKET.label(), hot);
    targets.add(
        Target.atMost(
            "three limits on one hot key, to three hits on one limit each",
            1.3,
            ratio(
                nanos(Section.JOINT, Form.THREE_LIMITS.label(), hot),
                single.map(nanos -> 3 * nanos)),
            RATIO));
    targets.add(
        Target.atMost(
            "a limit given in the call, to one that the limiter was made with",
            1.2,
            ratio(nanos(Section.FORMS, Form.TEXT.label(), hot), single),
            RATIO));
  }

  private void fasterJointly(String name, double times, KeySet keys) {
    String column = Plan.column(keys, 1);
    Optional<Double> peer = nanos(Section.JOINT, Form.BUCKET4J_THREE_LIMITS.label(), column);
    Optional<Double> stint = nanos(Section.JOINT, Form.THREE_LIMITS.label(), column);
    targets.add(Target.atLeast("faster than Bucket4j: " + name, times, ratio(peer, stint), RATIO));
  }

  private void speed() {
    faster("one hot key, 1 thread", 1.0, Section.HITS, KeySet.HOT, 1);
    faster("one hot key, 2 threads", 1.5, Section.HITS, KeySet.HOT, 2);
    faster("refusals on one hot key, 2 threads", 2.0, Section.REFUSALS, KeySet.HOT, 2);
    faster("1,000 keys", 1.3, Section.HITS, KeySet.THOUSAND, 1);
    faster("1 M uniform keys (aim: 5×)", 4.0, Section.HITS, KeySet.MILLION, 1);
    faster("10 M uniform keys (aim: 5×)", 3.0, Section.HITS, KeySet.TEN_MILLION, 1);
  }

  private void faster(String name, double times, Section section, KeySet keys, int threads) {
    String column = Plan.column(keys, threads);
    Optional<Double> peer = nanos(section, BUCKET4J_MAP.label(), column);
    Optional<Double> stint = nanos(section, STINT_TOKEN_BUCKET.label(), column);
    targets.add(Target.atLeast("faster than Bucket4j: " + name, times, ratio(peer, stint), RATIO));
  }

  private void allocation() {
    targets.add(
        Target.atMost(
            "allocated per hit, the answer not kept, the most of any algorithm",
            NOTHING,
            most(allocations(Section.HITS)),
            BYTES));
    targets.add(
        Target.atMost(
            "allocated per hit, the answer kept, the most of any algorithm",
            sizeOf(Decision.class) + NOTHING,
            most(allocations(Section.KEPT)),
            BYTES));
  }

  private Stream<Double> allocations(Section section) {
    return results.figures().stream()
        .filter(figure -> figure.cell().section() == section)
        .filter(figure -> figure.cell().row().startsWith("Stint"))
        .flatMap(figure -> results.allocated(figure).stream());
  }

  private void memory() {
    for (int keys : new int[] {Retained.MILLION, Retained.TEN_MILLION}) {
      targets.add(
          Target.atMost(
              "retained per key at %,d keys, the most of any algorithm but the log".formatted(keys),
              50,
              most(
                  Stream.of(Contestant.values())
                      .filter(one -> one.isStint() && !one.isLog())
                      .flatMap(one -> results.retained(one.label(), keys).stream())
                      .map(Retained::objects)),
              BYTES));
    }
  }

  private void logs() {
    String column = Plan.column(KeySet.HOT, 1);
    targets.add(
        Target.atMost(
            "a log hit at 10,000 to one at 100",
            SAME,
            ratio(
                nanos(Section.LOGS, Plan.logRow(10_000), column),
                nanos(Section.LOGS, Plan.logRow(100), column)),
            RATIO));
    Optional<Double> few = log(Retained.FEW_OF_100, Retained.MILLION);
    targets.add(
        Target.atMost(
            "an idle key's log of 3 entries, limit 10,000 to limit 100",
            SAME,
            ratio(log(Retained.FEW_OF_10_000, Retained.MILLION), few),
            RATIO));
    targets.add(
        Target.atMost(
            "an idle key's log of 3 entries that once held 100, to one that never did",
            SAME,
            ratio(log(Retained.FEW_OF_MANY, Retained.MILLION / 10), few),
            RATIO));
  }

  private Optional<Double> log(LogScenario scenario, int keys) {
    return results.retained(scenario.label(), keys).map(Retained::objects);
  }

  private void scale() {
    targets.add(
        Target.atMost(
            "the longest insert while growing to 10 M keys, GC pauses and the idle thread's stalls aside",
            5,
            results.growth(STINT_TOKEN_BUCKET.label()).map(Growth::net),
            MILLIS));
    String row = STINT_TOKEN_BUCKET.label();
    targets.add(
        Target.atMost(
            "cost per hit at 10 M to 1 M keys",
            1.5,
            ratio(
                nanos(Section.HITS, row, Plan.column(KeySet.TEN_MILLION, 1)),
                nanos(Section.HITS, row, Plan.column(KeySet.MILLION, 1))),
            RATIO));
  }

  private Optional<Double> nanos(Section section, String row, String column) {
    return results.figure(section, row, column).map(Figure::nanos);
  }

  private static Optional<Double> ratio(Optional<Double> over, Optional<Double> under) {
    return over.flatMap(a -> under.map(b -> a / b));
  }

  private static Optional<Double> most(Stream<Double> values) {
    return values.max(Double::compare);
  }

  /** The bytes of an object with compressed references: a header of twelve, rounded up to eight. */
  static long sizeOf(Class<?> type) {
    long bytes = 12;
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        Class<?> of = field.getType();
        boolean wide = of == long.class || of == double.class;
        boolean narrow = of == boolean.class || of == byte.class;
        bytes += wide ? 8 : narrow ? 1 : 4;
      }
    }
    return (bytes + 7) / 8 * 8;
  }
}
