package dev.stint.studio.findings;

import java.util.List;

/** Lanes in one sentence. */
public final class Verdict {

  private Verdict() {}

  /** What somebody who chooses between these lanes should know first. */
  public static String of(List<Findings.Lane> lanes, long requests, long keys) {
    throw new UnsupportedOperationException(lanes.size() + " " + requests + " " + keys);
  }
}
