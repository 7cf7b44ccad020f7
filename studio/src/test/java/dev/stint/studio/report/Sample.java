package dev.stint.studio.report;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.Span;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.Lanes;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trials;
import dev.stint.studio.trial.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Ten minutes of made-up requests, and what real trials found out about them: many calm clients,
 * one that never rests, some that come in bursts, and two whose names want to break the page.
 */
record Sample(List<Request> requests, List<Distribution> distributions, Findings findings) {

  static final String HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
  static final String UNSEEN = "\u202Eevil\u2028'\"&amp;\u0000\uD800";

  /** More digits than a number in a page has. */
  static final long SEED = Long.MAX_VALUE;

  static final String YAML =
      """
      policies:
        per-client:
          limits: 30/minute sliding-counter
          mode: shadow   # counts, refuses nobody; without this line it refuses
      """;

  private static final long START =
      Instant.parse("2026-03-02T09:00:00Z").getEpochSecond() * Span.SECOND;
  private static final long END = START + 10 * Span.MINUTE;
  private static final int CALM = 420;
  private static final Limit LIMIT = Limit.tokenBucket(30, Duration.ofMinutes(1));

  record Request(long micros, int key, long cost) {}

  /** What a limiter did: how many requests it refused, and of how many keys. */
  record Refused(long keys, long requests) {}

  /** As {@code replay} finds it with every algorithm. */
  static Sample replayed() {
    return of("replay", Plan.of(List.of(LIMIT), List.of(Plan.ALL)), 1);
  }

  /** For the documents: fewer algorithms, and keys as in any log. */
  static Sample pictured() {
    List<String> algorithms = List.of("fixed-window", "sliding-counter", "token-bucket");
    return of("replay", Plan.of(List.of(LIMIT), algorithms), 1, Sample::address);
  }

  /** As {@code recommend} finds it: nothing was tried. */
  static Sample recommended() {
    return of("recommend", List.of(), 1);
  }

  /** As {@code simulate} finds it with one algorithm. */
  static Sample simulated() {
    return of("simulate", Plan.of(List.of(LIMIT), List.of("leaky-bucket")), 1);
  }

  /** As {@link #replayed}, of requests that cost 3 units each. */
  static Sample costly() {
    return of("replay", Plan.of(List.of(LIMIT), List.of("token-bucket")), 3);
  }

  /** Told to stop before the first request. */
  static Findings nothing() {
    Trials none = new Trials(List.of(), START, Span.SECOND, List.of());
    return findings("replay", none, List.of(), "There were no requests.", "");
  }

  private static Sample of(String command, List<Plan> plans, long cost) {
    return of(command, plans, cost, Sample::name);
  }

  private static Sample of(String command, List<Plan> plans, long cost, IntFunction<String> names) {
    List<Request> requests = traffic(cost);
    List<Long> spans = List.of(Span.SECOND, 10 * Span.SECOND, Span.MINUTE, 60 * Span.MINUTE);
    try (Trials trials = new Trials(plans, START, Span.SECOND, spans)) {
      requests.forEach(one -> trials.request(one.micros, one.key, one.cost));
      List<Findings.Lane> lanes = Lanes.of(trials, names, 8);
      Findings findings = findings(command, trials, lanes, verdict(lanes, trials), YAML);
      return new Sample(requests, trials.distributions(), findings);
    }
  }

  private static String verdict(List<Findings.Lane> lanes, Trials trials) {
    int keys = trials.population().keys();
    if (lanes.isEmpty()) {
      return "Hardly any of " + keys + " clients would notice 40 requests a minute.";
    }
    Findings.Lane lane = lanes.get(lanes.size() / 2);
    return String.format(
        "30 a minute touches %d of %d clients; one of them makes %d %% of what a %s refuses.",
        lane.keysRefused(),
        keys,
        lane.offenders().get(0).refused() * 100 / lane.refused(),
        lane.name());
  }

  private static Findings findings(
      String command, Trials trials, List<Findings.Lane> lanes, String verdict, String yaml) {
    return new Findings(
        command,
        command.equals("simulate") ? simulation(trials) : log(trials),
        trials.requests(),
        trials.population().keys(),
        trials.arrivedOverTime(),
        lanes,
        trials.distributions(),
        command.equals("recommend") ? proposals() : List.of(),
        verdict,
        yaml,
        trials.requests() == 0);
  }

  private static Findings.Source log(Trials trials) {
    List<String> notes =
        List.of("The log covers ten minutes: what happens once a day is not in it.");
    return new Findings.Source(
        "access.log.gz", "combined", "ip", trials.requests() + 3, 2, 1, Optional.empty(), notes);
  }

  private static Findings.Source simulation(Trials trials) {
    return new Findings.Source(
        "humans+attacker:window",
        "simulated",
        "client",
        trials.requests(),
        0,
        0,
        Optional.of(SEED),
        List.of());
  }

  private static List<Findings.Proposal> proposals() {
    return List.of(
        new Findings.Proposal(
            "12 per 10 seconds", 0.991, 4, 1730, 0.29, "99.1 % of clients never notice; refuses 4"),
        new Findings.Proposal(
            "40/minute", 0.9995, 1, 1410, 0.23, "over 99.9 % of clients never notice; refuses 1"));
  }

  private static String name(int key) {
    return switch (key) {
      case CALM + 3 -> HOSTILE;
      case CALM + 4 -> UNSEEN;
      default -> address(key);
    };
  }

  private static String address(int key) {
    return (key < 256 ? "192.0.2." : "198.51.100.") + key % 256;
  }

  private static List<Request> traffic(long cost) {
    SplittableRandom random = new SplittableRandom(7);
    List<Request> all = new ArrayList<>();
    for (int key = 0; key < CALM; key++) {
      double pause = Span.MINUTE / (0.5 + 12 * Math.pow(random.nextDouble(), 4));
      for (long at = START; (at += (long) (-Math.log(1 - random.nextDouble()) * pause)) < END; ) {
        if (random.nextDouble() < wave(at)) {
          all.add(new Request(at, key, cost));
        }
      }
    }
    all.addAll(bursts(CALM, START + Span.SECOND, 240_000, 1, 2_300, cost));
    all.addAll(bursts(CALM + 1, START + 58 * Span.SECOND, Span.MINUTE, 40, 8, cost));
    all.addAll(bursts(CALM + 2, START + 220 * Span.SECOND, Span.MINUTE, 110, 1, cost));
    all.addAll(bursts(CALM + 3, START + 300 * Span.SECOND, 20 * Span.SECOND, 25, 9, cost));
    all.addAll(bursts(CALM + 4, START + 420 * Span.SECOND, 2 * Span.SECOND, 3, 40, cost));
    all.sort(Comparator.comparingLong(Request::micros));
    return all;
  }

  /** How lively calm clients are at a moment, from 0 to 1. */
  private static double wave(long at) {
    return 0.6 + 0.4 * Math.sin((at - START) / (70.0 * Span.SECOND));
  }

  /** So many bursts of so many requests, 20 ms apart. */
  private static List<Request> bursts(
      int key, long start, long pause, int size, int times, long cost) {
    List<Request> all = new ArrayList<>();
    for (int burst = 0; burst < times; burst++) {
      for (int i = 0; i < size; i++) {
        all.add(new Request(start + burst * pause + i * 20_000L, key, cost));
      }
    }
    return all;
  }

  /** What windows of the clock refuse of these requests, asked one by one. */
  Refused refusedBy(long amount, long span) {
    VirtualTime time = new VirtualTime(START);
    Limit limit = Limit.fixedWindow(amount, Duration.ofNanos(span * 1000));
    Set<Integer> keys = new HashSet<>();
    long refused = 0;
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      for (Request one : requests) {
        time.moveTo(one.micros);
        Decision decision = store.run(Operation.HIT, limit, Key.of(one.key), one.cost);
        if (!decision.allowed()) {
          refused++;
          keys.add(one.key);
        }
      }
    }
    return new Refused(keys.size(), refused);
  }
}
