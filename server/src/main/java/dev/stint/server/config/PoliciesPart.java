package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.Spelling;
import dev.stint.server.config.Yaml.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code policies}, and {@code rate-limiter}, which is a policy in other words. */
final class PoliciesPart {

  private final Context in;
  private final Map<String, PolicySettings> policies = new LinkedHashMap<>();
  private final Map<String, Place> named = new LinkedHashMap<>();
  private final Map<String, Place> candidates = new HashMap<>();

  private PoliciesPart(Context in) {
    this.in = in;
  }

  private static final String NONE = "none";

  /** All policies of a file; the default ones if it has neither key. */
  static Map<String, PolicySettings> read(Context in, Section file) {
    Yaml own = file.find("policies");
    Yaml simple = file.find("rate-limiter");
    if (own == null && simple == null) {
      return Configuration.standard().policies();
    }
    PoliciesPart part = new PoliciesPart(in);
    if (isNone(own)) {
      if (simple != null) {
        file.wrong("policies", "policies must not be none beside rate-limiter; remove one");
      }
      return Map.of();
    }
    if (own != null) {
      part.readOwn(own);
    }
    if (simple != null) {
      part.readSimple(file.placeOf("rate-limiter"), simple);
    }
    part.checkCandidates();
    part.checkKeyspaces();
    return part.policies;
  }

  /** A file that is cut off or emptied by accident must not remove policies, but this does. */
  private static boolean isNone(@Nullable Yaml yaml) {
    return yaml instanceof Yaml.Scalar scalar && scalar.text().equals(NONE);
  }

  private void readOwn(Yaml yaml) {
    List<Entry> entries = Section.unique("policies", yaml, in.mistakes());
    if (entries.isEmpty() && yaml instanceof Yaml.Entries) {
      in.mistakes()
          .add(
              yaml.place(),
              "policies must have at least one policy, such as default: 5/minute; to have none, write"
                  + " policies: none");
    }
    for (Entry entry : entries) {
      Names.check("the name of a policy", entry.name(), in.mistakes());
      String name = entry.name().text();
      named.put(name, entry.name().place());
      PolicyPart.Found found = PolicyPart.read(in, name, entry.value());
      policies.put(name, found.settings());
      if (found.candidate() != null) {
        candidates.put(name, found.candidate());
      }
    }
  }

  /** The block of RLaaS, with its meaning: fixed windows are aligned to the epoch. */
  private void readSimple(Place place, Yaml yaml) {
    Section block = in.section("rate-limiter", yaml, "use-algo", "window-size", "max-requests");
    if (named.containsKey(Configuration.DEFAULT_POLICY)) {
      block.wrong(
          place,
          "rate-limiter must not stand beside policies.default, for it is the policy 'default';"
              + " remove one");
      return;
    }
    if (yaml instanceof Yaml.Entries) {
      require(block, "use-algo", "use-algo: fixed-window-algo");
      require(block, "window-size", "window-size: 60");
      require(block, "max-requests", "max-requests: 5");
    }
    boolean sliding = block.choice("use-algo", Words.SIMPLE_ALGORITHMS).orElse(false);
    Duration window = Duration.ofSeconds(block.number("window-size", 60, 1, 50L * 365 * 86_400));
    long amount = block.number("max-requests", 5L, 1, sliding ? 1_000_000 : 1L << 52);
    Limit limit =
        sliding
            ? Limit.slidingLog(amount, window)
            : Limit.fixedWindow(amount, window).countingDenied();
    named.put(Configuration.DEFAULT_POLICY, place);
    policies.put(Configuration.DEFAULT_POLICY, PolicySettings.of(List.of(limit)));
  }

  private static void require(Section block, String word, String example) {
    if (!block.has(word)) {
      block.missing(word, example);
    }
  }

  /** A candidate is another policy, and has none itself: who is tried is tried alone. */
  private void checkCandidates() {
    candidates.forEach(
        (name, place) -> {
          PolicySettings policy = policies.get(name);
          String candidate = policy == null ? "" : policy.candidate().orElse("");
          String wrong = wrongWith(name, candidate);
          if (wrong != null) {
            in.mistakes().add(place, wrong);
          }
        });
  }

  private @Nullable String wrongWith(String name, String candidate) {
    if (candidate.equals(name)) {
      return "candidate must be another policy, was " + Quote.of(name) + " itself";
    }
    if (!named.containsKey(candidate)) {
      List<String> others = new ArrayList<>(named.keySet());
      others.remove(name);
      return "candidate must be the name of a policy: "
          + Quote.of(candidate)
          + Spelling.hint(candidate, others, "; the others are: " + String.join(", ", others));
    }
    return candidates.containsKey(candidate)
        ? "candidate must not have a candidate itself, and " + Quote.of(candidate) + " has one"
        : null;
  }

  /** The limit {@code b} of a policy {@code a} counts where the policy {@code a.b} does. */
  private void checkKeyspaces() {
    Map<String, String> owners = new HashMap<>();
    policies.forEach(
        (name, policy) -> {
          List<Limit> limits = new ArrayList<>(policy.limits());
          policy.overrides().forEach(override -> limits.addAll(override.limits()));
          for (Limit limit : limits) {
            String space = limit.name().isEmpty() ? name : name + "." + limit.name();
            String place = limit.kind() + " " + limit.window() + " " + space;
            String owner = owners.putIfAbsent(place, name);
            if (owner != null && !owner.equals(name)) {
              in.mistakes()
                  .add(
                      named.getOrDefault(name, Place.ofFile(in.file().toString())),
                      String.format(
                          "policies must count apart, and '%s' would count where '%s' does; rename"
                              + " it or its limit",
                          name, owner));
              return;
            }
          }
        });
  }
}
