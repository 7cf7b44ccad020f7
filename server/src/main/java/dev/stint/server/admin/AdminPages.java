package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.Limit;
import dev.stint.http.StoredKey;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The pages of administration, as JSON. */
final class AdminPages {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int SHOWN_HASH = 16;

  private AdminPages() {}

  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * The process lives; the store may be in trouble.
   *
   * @param tellsWhy whether the reason is told, which has addresses in it
   */
  static String health(Stores stores, boolean tellsWhy) {
    return json(
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
    return json(
        page -> {
          page.writeArrayFieldStart("policies");
          for (Policy policy : policies.all()) {
            page.writeStartObject();
            page.writeStringField("name", policy.name());
            page.writeArrayFieldStart("limits");
            for (Limit limit : policy.settings().limits()) {
              page.writeString(limit.toString());
            }
            page.writeEndArray();
            page.writeStringField("mode", policy.isShadow() ? "shadow" : "enforce");
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

  static String top(Policies policies, Metrics metrics) {
    long now = System.nanoTime();
    return json(
        page -> {
          list(page, "used", metrics.used().top(now), policies, metrics.hashesTopKeys());
          list(page, "refused", metrics.refused().top(now), policies, metrics.hashesTopKeys());
        });
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
      page.writeNumberField("count", top.count());
      page.writeNumberField("error", top.error());
      page.writeEndObject();
    }
    page.writeEndArray();
  }

  /** A policy that is gone may have been one that hides its keys. */
  private static boolean hides(Policies policies, String group) {
    Policy policy = policies.find(group);
    return policy == null ? !Policies.isOwnSpace(group) : policy.hashesKeys();
  }

  private static String text(Sketch.Entry entry) {
    String text = new String(entry.shown(), StandardCharsets.UTF_8);
    return entry.isCut() ? text + "…" : text;
  }

  /** Of a key that is cut off, the hash of what is there, marked as such. */
  private static String hash(Sketch.Entry entry) {
    String hash = HexFormat.of().formatHex(StoredKey.hash(entry.shown())).substring(0, SHOWN_HASH);
    return entry.isCut() ? hash + "…" : hash;
  }

  private static String json(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }
}
