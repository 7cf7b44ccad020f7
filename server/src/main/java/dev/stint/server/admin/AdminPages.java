package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.Limit;
import dev.stint.http.StoredKey;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The pages of administration, as JSON. */
final class AdminPages {

  private static final int SHOWN_HASH = 16;

  private AdminPages() {}

  /**
   * The process lives; the store may be in trouble.
   *
   * @param tellsWhy whether the reason is told, which has addresses in it
   */
  static String health(Stores stores, boolean tellsWhy) {
    return Json.of(
        page -> {
          Optional<String> trouble = stores.trouble(); // once: it may be over in a moment
          page.writeStringField("status", trouble.isEmpty() ? "UP" : "DEGRADED");
          page.writeStringField("store", stores.isLocal() ? "memory" : "redis");
          if (trouble.isPresent() && tellsWhy) {
            page.writeStringField("trouble", trouble.get());
          }
        });
  }

  static String policies(Policies policies) {
    return Json.of(
        page -> {
          page.writeArrayFieldStart("policies");
          for (Policy policy : policies.all()) {
            page.writeStartObject();
            page.writeStringField("name", policy.name());
            limits(page, policy.settings().limits());
            page.writeStringField("mode", mode(policy.isShadow()));
            page.writeStringField(
                "on-store-error", policy.settings().onStoreError().name().toLowerCase(Locale.ROOT));
            page.writeNumberField("overrides", policy.settings().overrides().size());
            if (policy.candidate() != null) {
              page.writeStringField("candidate", policy.candidate().name());
            }
            page.writeEndObject();
          }
          page.writeEndArray();
          page.writeArrayFieldStart("domains");
          for (String domain : policies.rls().domains().keySet()) {
            page.writeString(domain);
          }
          page.writeEndArray();
        });
  }

  static void limits(JsonGenerator page, List<Limit> limits) throws IOException {
    page.writeArrayFieldStart("limits");
    for (Limit limit : limits) {
      page.writeString(text(limit));
    }
    page.writeEndArray();
  }

  /** A limit as it was configured: Envoy's have a name of ours while they are counted. */
  static String text(Limit limit) {
    String text = limit.toString();
    String own = " named " + limit.name();
    return limit.name().startsWith("_") && text.endsWith(own)
        ? text.substring(0, text.length() - own.length())
        : text;
  }

  /** The name that the configuration gave it; empty if none. */
  static String name(Limit limit) {
    return limit.name().startsWith("_") ? "" : limit.name();
  }

  static String mode(boolean isShadow) {
    return isShadow ? "shadow" : "enforce";
  }

  static String top(Policies policies, Metrics metrics) {
    return Json.of(page -> top(page, policies, metrics));
  }

  static void top(JsonGenerator page, Policies policies, Metrics metrics) throws IOException {
    long now = System.nanoTime();
    list(page, "used", metrics.used().top(now), policies, metrics.hashesTopKeys());
    list(page, "refused", metrics.refused().top(now), policies, metrics.hashesTopKeys());
  }

  private static void list(
      JsonGenerator page, String name, List<TopKeys.Top> tops, Policies policies, boolean hashed)
      throws IOException {
    page.writeArrayFieldStart(name);
    for (TopKeys.Top top : tops) {
      boolean hides = hashed || hides(policies, top.entry().group());
      page.writeStartObject();
      page.writeStringField("policy", top.entry().group());
      page.writeStringField("key", hides ? hash(top.entry()) : text(top.entry()));
      if (hides) {
        page.writeBooleanField("hashed", true);
      }
      Policy policy = policies.find(top.entry().group());
      if (policy != null && policy.isShadow()) {
        page.writeBooleanField("shadow", true);
      }
      page.writeNumberField("count", top.count());
      page.writeNumberField("error", top.error());
      page.writeEndObject();
    }
    page.writeEndArray();
  }

  /** A policy that is gone may have been one that hides its keys. */
  static boolean hides(Policies policies, String group) {
    Policy policy = policies.find(group);
    return policy == null ? !Policies.isOwnSpace(group) : policy.hashesKeys();
  }

  private static String text(Sketch.Entry entry) {
    String text = new String(entry.shown(), StandardCharsets.UTF_8);
    return entry.isCut() ? text + "…" : text;
  }

  /** Of a key that is cut off, the hash of what is there, marked as such. */
  private static String hash(Sketch.Entry entry) {
    String hash = hash(entry.shown());
    return entry.isCut() ? hash + "…" : hash;
  }

  /** What is shown in place of a key that is nobody's business. */
  static String hash(byte[] key) {
    return HexFormat.of().formatHex(StoredKey.hash(key)).substring(0, SHOWN_HASH);
  }
}
