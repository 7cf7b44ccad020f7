package dev.stint.server.admin;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What a policy and its candidate made of the same requests. */
final class Comparison {

  private static final String ALLOWED = "allowed";
  private static final String REFUSED = "refused";

  private final MeterRegistry registry;
  private final Counter bothAllow;
  private final Counter onlyLiveAllows;
  private final Counter onlyCandidateAllows;
  private final Counter bothRefuse;

  Comparison(MeterRegistry registry, String live, String candidate) {
    this.registry = registry;
    bothAllow = requests(live, candidate, ALLOWED, ALLOWED);
    onlyLiveAllows = requests(live, candidate, ALLOWED, REFUSED);
    onlyCandidateAllows = requests(live, candidate, REFUSED, ALLOWED);
    bothRefuse = requests(live, candidate, REFUSED, REFUSED);
  }

  private Counter requests(String policy, String candidate, String live, String tried) {
    return Counter.builder("stint.candidate")
        .description("Requests by what a policy and its candidate made of them.")
        .tag("policy", policy)
        .tag("candidate", candidate)
        .tag("live", live)
        .tag("tried", tried)
        .register(registry);
  }

  void count(boolean liveAllows, boolean candidateAllows) {
    Counter counter =
        liveAllows
            ? candidateAllows ? bothAllow : onlyLiveAllows
            : candidateAllows ? onlyCandidateAllows : bothRefuse;
    counter.increment();
  }

  /** Takes all series out of a registry. */
  void removeFrom(MeterRegistry from) {
    from.remove(bothAllow);
    from.remove(onlyLiveAllows);
    from.remove(onlyCandidateAllows);
    from.remove(bothRefuse);
  }

  long bothAllow() {
    return (long) bothAllow.count();
  }

  long onlyLiveAllows() {
    return (long) onlyLiveAllows.count();
  }

  long onlyCandidateAllows() {
    return (long) onlyCandidateAllows.count();
  }

  long bothRefuse() {
    return (long) bothRefuse.count();
  }
}
