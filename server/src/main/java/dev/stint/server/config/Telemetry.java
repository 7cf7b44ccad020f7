package dev.stint.server.config;

import java.util.Optional;

/**
 * How the service is watched.
 *
 * @param topKeys how many keys the lists of the most used and most refused have; 0 for no lists
 * @param hashTopKeys whether those lists show hashes in place of keys
 * @param jsonLogs whether a line of the log is a JSON object
 * @param traces where spans are sent by OTLP over HTTP, such as {@code http://localhost:4318}
 */
public record Telemetry(
    int topKeys, boolean hashTopKeys, boolean jsonLogs, Optional<String> traces) {

  /** A hundred top keys, readable; plain logs; no traces. */
  public static Telemetry standard() {
    return new Telemetry(100, false, false, Optional.empty());
  }

  /**
   * The same with logs as this word has them, {@code plain} or {@code json}.
   *
   * @throws IllegalArgumentException with the end of a sentence, if it is another word
   */
  public Telemetry logs(String word) {
    return new Telemetry(topKeys, hashTopKeys, Scalars.choice(word, Words.LOGS), traces);
  }
}
