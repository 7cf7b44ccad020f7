package dev.stint.server.admin;

import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Explanation;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;

/** Answers {@code GET /explain}. */
final class Explain {

  private final Engine engine;
  private final EnvoyExplainer envoy;
  private final int longestKey;

  Explain(Engine engine, EnvoyExplainer envoy, int longestKey) {
    this.engine = engine;
    this.envoy = envoy;
    this.longestKey = longestKey;
  }

  /**
   * The page, as JSON. It may come from a foreign thread.
   *
   * @throws BadAsk if there is nothing to explain
   */
  CompletionStage<String> page(HttpServerRequest request) {
    return explanation(request).thenApply(ExplanationJson::of);
  }

  /** They are decoded when they are first read. */
  private static MultiMap parameters(HttpServerRequest request) {
    try {
      return request.params();
    } catch (IllegalArgumentException e) {
      throw new BadAsk(
          400, "the address must be percent-encoded, was not: write a percent sign as %25");
    }
  }

  private CompletionStage<Explanation> explanation(HttpServerRequest request) {
    long cost = Asked.cost(parameters(request).get("cost"));
    String domain = request.getParam("domain");
    if (domain == null) {
      return engine.explain(
          Asked.policy(engine.policies(), request.getParam("policy")),
          Asked.key(request.getParam("key"), longestKey),
          cost);
    }
    try {
      return envoy.explain(
          Asked.domain(engine.policies(), domain),
          Asked.descriptor(request.getParam("descriptor")),
          cost);
    } catch (IllegalArgumentException e) {
      throw new BadAsk(400, String.valueOf(e.getMessage()));
    }
  }
}
