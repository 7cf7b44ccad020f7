package dev.stint.server.admin;

import dev.stint.server.engine.Explanation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Who knows Envoy's rules: which one a descriptor is under, and what it would be answered. */
public interface EnvoyExplainer {

  /**
   * Explains what a request with this one descriptor would be answered.
   *
   * @param entries keys and values, in their order
   * @throws IllegalArgumentException with a sentence, if there is nothing to explain
   */
  CompletionStage<Explanation> explain(
      String domain, List<Map.Entry<String, String>> entries, long cost);
}
