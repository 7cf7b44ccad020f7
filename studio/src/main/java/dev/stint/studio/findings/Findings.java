package dev.stint.studio.findings;

import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Timeline;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code simulate}, {@code replay} or {@code recommend} has found out.
 *
 * @param command which of them
 * @param source where the requests come from
 * @param requests how many there were
 * @param keys how many clients they are from
 * @param arrived when they came
 * @param lanes what each plan made of them
 * @param distributions how much keys use in a span of time
 * @param proposals limits that would suit
 * @param verdict all of it in one sentence
 * @param yaml a policy, ready for {@code stint.yaml}
 * @param interrupted whether it was told to stop before the end
 */
public record Findings(
    String command,
    Source source,
    long requests,
    long keys,
    Timeline arrived,
    List<Lane> lanes,
    List<Distribution> distributions,
    List<Proposal> proposals,
    String verdict,
    String yaml,
    boolean interrupted) {

  /**
   * Where the requests come from.
   *
   * @param name a file, {@code -} for standard input, or a description of traffic
   * @param format of a file, such as {@code combined}; of simulated traffic {@code simulated}
   * @param by what a client is told by, such as {@code ip}
   * @param lines lines that were read; of simulated traffic the requests
   * @param bad lines that could not be understood
   * @param late lines too old to be put in order, left out
   * @param seed what random traffic was made from
   * @param notes what the reader should know before believing the rest
   */
  public record Source(
      String name,
      String format,
      String by,
      long lines,
      long bad,
      long late,
      Optional<Long> seed,
      List<String> notes) {

    /** The same with more notes, after those that it has. */
    public Source with(List<String> more) {
      List<String> all = Stream.concat(notes.stream(), more.stream()).toList();
      return new Source(name, format, by, lines, bad, late, seed, all);
    }
  }

  /**
   * What one plan made of the requests.
   *
   * @param name of the algorithm
   * @param limits as rate strings
   * @param worstSecond the most units admitted in any second, of all keys together
   * @param unneeded refusals that the exact sliding log would not have made
   * @param missed admissions that the exact sliding log would have refused
   */
  public record Lane(
      String name,
      List<String> limits,
      long admitted,
      long refused,
      long keysRefused,
      long worstSecond,
      long worstMinute,
      long unneeded,
      long missed,
      Timeline admittedOverTime,
      Timeline refusedOverTime,
      List<Offender> offenders) {}

  /**
   * A key that was refused often.
   *
   * @param pattern how it came, in words
   * @param refusedOverTime when it was refused; empty if that was not remembered
   */
  public record Offender(
      String key,
      long requests,
      long refused,
      String pattern,
      Optional<Timeline> refusedOverTime) {}

  /**
   * A limit that would suit, and its price.
   *
   * @param limit as a rate string
   * @param share of the keys, from 0 to 1, that never notice
   * @param keysRefused how many do
   * @param refused how many requests it refuses
   * @param shareOfRequests what part of all requests those keys make, from 0 to 1
   * @param price the same as a sentence
   */
  public record Proposal(
      String limit,
      double share,
      long keysRefused,
      long refused,
      double shareOfRequests,
      String price) {}
}
