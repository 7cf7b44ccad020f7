package dev.stint.server.config;

import java.util.Optional;

/**
 * How the service is observed.
 *
 * @param topKeys the length of the lists of the most used and most refused keys; 0 for no lists
 * @param hashTopKeys whether those lists show hashes in place of keys
 * @param jsonLogs whether a line of the log is a JSON object
 * @param traces where spans are sent by OTLP over HTTP, such as {@code http://localhost:4318}
 * @param nearLimit the share of a limit beyond which a request counts as near the limit
 * @param stackTraces whether the log has whole stack traces
 */
public record Telemetry(
    int topKeys,
    boolean hashTopKeys,
    boolean jsonLogs,
    Optional<String> traces,
    double nearLimit,
    boolean stackTraces) {

  /** As Envoy's rate limit service has it. */
  private static final double NEAR_LIMIT = 0.8;

  /** The defaults for what is not given here. */
  public Telemetry(int topKeys, boolean hashTopKeys, boolean jsonLogs, Optional<String> traces) {
    this(topKeys, hashTopKeys, jsonLogs, traces, NEAR_LIMIT, false);
  }

  /** A hundred top keys, readable; plain logs; no traces. */
  public static Telemetry standard() {
    return new Telemetry(100, false, false, Optional.empty());
  }

  /**
   * The same with logs in this form, {@code plain} or {@code json}.
   *
   * @throws IllegalArgumentException with the end of a sentence, if it is another word
   */
  public Telemetry logs(String word) {
    boolean json = Scalars.choice(word, Words.LOGS);
    return new Telemetry(topKeys, hashTopKeys, json, traces, nearLimit, stackTraces);
  }
}
