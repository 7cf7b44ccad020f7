package dev.stint.studio.findings;

import dev.stint.Limit;
import dev.stint.studio.trial.Plan;
import java.util.Comparator;
import java.util.List;

/**
 * Lanes in one sentence.
 *
 * <p>The measure is the exact sliding log, since it is what the words "so many a minute" say. A
 * lane differs from it by refusals that it would not have made and by admissions that it would have
 * refused; which of the two is worse is for the reader to say, so both are told. Limits too large
 * for a log are measured by each other.
 */
public final class Verdict {

  static final String EXACT = Limit.Kind.SLIDING_LOG.word();

  private Verdict() {}

  /** What somebody who chooses between these lanes should know first. */
  public static String of(List<Findings.Lane> lanes, long requests, long keys) {
    if (requests == 0) {
      return "No request came, so there is nothing to choose by.";
    }
    String all = Figures.of(requests, "request") + " of " + Figures.of(keys, "client");
    if (lanes.isEmpty()) {
      return "There were " + all + "; no limit was tried.";
    }
    if (lanes.stream().allMatch(lane -> lane.refused() == 0)) {
      return lanes.size() == 1
          ? lanes.get(0).name() + " refuses nobody: it admits all " + all + "."
          : "Nobody is refused: every algorithm admits all " + all + ".";
    }
    if (!isMeasured(lanes.get(0))) {
      return unmeasured(lanes, keys);
    }
    return lanes.size() == 1 ? single(lanes.get(0), keys) : several(lanes, keys);
  }

  private static boolean isMeasured(Findings.Lane lane) {
    return Plan.of(lane.limits().stream().map(Limit::parse).toList()).hasExact();
  }

  private static String unmeasured(List<Findings.Lane> lanes, long keys) {
    Comparator<Findings.Lane> byRefused = Comparator.comparingLong(Findings.Lane::refused);
    Findings.Lane mildest = lanes.stream().min(byRefused).get();
    Findings.Lane strictest = lanes.stream().max(byRefused).get();
    String most = strictest.name() + " " + refuses(strictest, keys);
    return mildest.refused() == strictest.refused()
        ? most + (lanes.size() == 1 ? "." : ", and so do the others.")
        : most + ", the most of all; " + mildest.name() + " " + refuses(mildest, keys) + ".";
  }

  private static String single(Findings.Lane lane, long keys) {
    String refuses = lane.name() + " " + refuses(lane, keys);
    return lane.name().equals(EXACT) ? refuses + "." : refuses + "; " + against(lane) + ".";
  }

  private static String several(List<Findings.Lane> lanes, long keys) {
    List<Findings.Lane> others = lanes.stream().filter(lane -> !lane.name().equals(EXACT)).toList();
    Findings.Lane nearest = others.stream().min(Comparator.comparingLong(Verdict::off)).get();
    Findings.Lane furthest = others.stream().max(Comparator.comparingLong(Verdict::off)).get();
    String exact =
        lanes.stream()
            .filter(lane -> lane.name().equals(EXACT))
            .findFirst()
            .map(lane -> "The exact log " + refuses(lane, keys) + "; ")
            .orElse("");
    if (off(furthest) == 0) {
      return exact.isEmpty()
          ? "All decide as the exact log does: each " + refuses(nearest, keys) + "."
          : exact + "every other algorithm decides the same.";
    }
    if (others.size() == 1) {
      return exact + "beside it, " + nearest.name() + " has " + differences(nearest) + ".";
    }
    String near = nearest.name() + " comes closest" + (exact.isEmpty() ? " to the exact log" : "");
    near += off(nearest) == 0 ? " (no decision differs)" : " (" + differences(nearest) + ")";
    return exact + near + ", " + furthest.name() + " least (" + differences(furthest) + ").";
  }

  private static String refuses(Findings.Lane lane, long keys) {
    return lane.refused() == 0
        ? "refuses nothing"
        : "refuses "
            + Figures.percent(lane.refused(), lane.admitted() + lane.refused())
            + " of the requests, from "
            + (keys == 1
                ? "the only client"
                : lane.keysRefused() + " of " + Figures.of(keys, "client"));
  }

  private static String against(Findings.Lane lane) {
    return off(lane) == 0
        ? "the exact log would decide the same"
        : "beside the exact log it has " + differences(lane);
  }

  private static String differences(Findings.Lane lane) {
    String unneeded = Figures.count(lane.unneeded()) + " refused without need";
    String missed = Figures.count(lane.missed()) + " admitted too many";
    if (lane.unneeded() == 0) {
      return missed;
    }
    return lane.missed() == 0 ? unneeded : unneeded + ", " + missed;
  }

  /** How many decisions are other than the exact log's. */
  static long off(Findings.Lane lane) {
    return lane.unneeded() + lane.missed();
  }
}
