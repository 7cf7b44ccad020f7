package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.http.HeaderFormat;
import dev.stint.http.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one policy: its limits alone, or a map with them and more. */
final class PolicyPart {

  private final Context in;
  private final String name;
  private Limit.Kind kind = Limit.Kind.TOKEN_BUCKET;
  private boolean countDenied;

  private PolicyPart(Context in, String name) {
    this.in = in;
    this.name = name;
  }

  /** A policy, and where its candidate is named. */
  record Found(PolicySettings settings, @Nullable Place candidate) {}

  static Found read(Context in, String name, Yaml yaml) {
    PolicyPart part = new PolicyPart(in, name);
    return yaml instanceof Yaml.Entries
        ? part.read(yaml)
        : new Found(PolicySettings.of(part.limits(yaml)), null);
  }

  private Found read(Yaml yaml) {
    Section policy =
        in.section(
            "policy " + Quote.of(name),
            yaml,
            "limits",
            "algorithm",
            "hash-keys",
            "mode",
            "on-store-error",
            "headers",
            "count-denied",
            "candidate",
            "overrides");
    kind = policy.choice("algorithm", Words.ALGORITHMS).orElse(kind);
    countDenied = policy.flag("count-denied", false);
    Yaml limits = policy.find("limits");
    if (limits == null) {
      policy.missing("limits", "limits: 100/minute");
    }
    Yaml candidate = policy.find("candidate");
    PolicySettings settings =
        new PolicySettings(
            limits == null ? List.of() : limits(limits),
            policy.flag("hash-keys", false),
            policy.choice("mode", Words.MODES).orElse(false),
            policy.choice("on-store-error", Words.ON_STORE_ERROR).orElse(OnStoreError.LOCAL),
            policy.choice("headers", Words.HEADERS).orElse(HeaderFormat.IETF),
            overrides(policy),
            policy.text("candidate"));
    return new Found(
        settings, candidate == null || settings.candidate().isEmpty() ? null : candidate.place());
  }

  private List<PolicySettings.Override> overrides(Section policy) {
    List<PolicySettings.Override> overrides = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Yaml item : policy.items("overrides")) {
      Section override = in.section("an override", item, "key", "prefix", "limits");
      Yaml limits = override.find("limits");
      if (!(item instanceof Yaml.Entries)) {
        continue;
      }
      if (limits == null) {
        override.missing("limits", "limits: 1000/minute");
      }
      if (override.has("key") == override.has("prefix")) {
        override.wrong(
            override.place(), "an override must have either 'key' or 'prefix', such as key: alice");
        continue;
      }
      boolean isPrefix = override.has("prefix");
      String word = isPrefix ? "prefix" : "key";
      Optional<String> text = override.read(word, PolicyPart::notEmpty);
      if (text.isPresent() && !seen.add(word + " " + text.get())) {
        override.wrong(
            word,
            "overrides must differ, and the "
                + word
                + " "
                + Quote.of(text.get())
                + " is there twice");
      }
      List<Limit> read = limits == null ? List.of() : limits(limits);
      text.ifPresent(of -> overrides.add(new PolicySettings.Override(of, isPrefix, read)));
    }
    return overrides;
  }

  private static String notEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty; remove the override");
    }
    return text;
  }

  /** Limits in one text or in a list of texts; none after a mistake. */
  private List<Limit> limits(Yaml yaml) {
    List<Limit> limits = new ArrayList<>();
    List<Yaml> texts = yaml instanceof Yaml.Items items ? items.all() : List.of(yaml);
    boolean right = true;
    for (Yaml text : texts) {
      Optional<List<Limit>> read =
          Section.read("limits", text, in.mistakes(), rates -> LimitText.readAll(rates, kind));
      right &= read.isPresent();
      limits.addAll(read.orElse(List.of()));
    }
    if (texts.isEmpty()) {
      in.mistakes().add(yaml.place(), "limits must have at least one, such as 100/minute");
    }
    return right && !limits.isEmpty() ? together(yaml.place(), limits) : List.of();
  }

  private List<Limit> together(Place place, List<Limit> limits) {
    List<Limit> counted = new ArrayList<>();
    for (Limit limit : limits) {
      counted.add(countDenied ? limit.countingDenied() : limit);
    }
    try {
      Rule.of(name, counted.toArray(Limit[]::new)); // refuses what cannot go together
      return List.copyOf(counted);
    } catch (IllegalArgumentException e) {
      if (Names.isName(name)) { // otherwise it is the name, which was told
        in.mistakes().add(place, String.valueOf(e.getMessage()));
      }
      return List.of();
    }
  }
}
