package dev.stint.server.http;

import java.util.concurrent.CompletionStage;

/** Who answers {@code POST /json}: Envoy's request and answer as JSON. */
public interface JsonRls {

  /** An answer. */
  record Reply(int status, String contentType, String body) {}

  /** Answers a body. The stage may be completed by any thread, and does not fail. */
  CompletionStage<Reply> answer(byte[] body);
}
