package dev.stint.server.http;

import dev.stint.server.net.Permissions;
import java.util.concurrent.CompletionStage;

/** Who answers {@code POST /json}: Envoy's request and answer as JSON. */
public interface JsonRls {

  /** An answer. */
  record Reply(int status, String contentType, String body) {}

  /**
   * Answers a body, as far as its sender may be answered. The stage may be completed by any thread,
   * and does not fail.
   */
  CompletionStage<Reply> answer(byte[] body, Permissions permissions);
}
