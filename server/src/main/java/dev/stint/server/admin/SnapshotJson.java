package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.memory.MemoryStore;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Exceptions;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Snapshots as JSON; every field is told of in the tests of {@code EventsTest}. */
final class SnapshotJson {

  private static final int MOST_LINES = 100;
  private static final int MOST_EXCEPTIONS = 200;

  private final Engine engine;
  private final Metrics metrics;
  private final long startedAt;
  private final boolean writable;
  private final IntSupplier httpPort;

  SnapshotJson(
      Engine engine, Metrics metrics, long startedAt, boolean writable, IntSupplier httpPort) {
    this.engine = engine;
    this.metrics = metrics;
    this.startedAt = startedAt;
    this.writable = writable;
    this.httpPort = httpPort;
  }

  static List<Roster.Line> shown(List<Roster.Line> lines) {
    return lines.subList(0, Math.min(MOST_LINES, lines.size()));
  }

  String of(long now, Recent all, Durations durations, History history, List<Roster.Line> lines) {
    return Json.of(
        page -> {
          page.writeNumberField("now", now);
          page.writeNumberField("startedAt", startedAt);
          page.writeStringField("version", version());
          page.writeBooleanField("writable", writable);
          page.writeNumberField("httpPort", httpPort.getAsInt());
          page.writeObjectFieldStart("totals");
          counts(page, all.newest().counts());
          page.writeEndObject();
          rates(page, all);
          number(page, "p99Micros", durations.p99());
          store(page, engine.stores());
          page.writeArrayFieldStart("policies");
          for (Roster.Line line : shown(lines)) {
            page.writeStartObject();
            line(page, line, history);
            page.writeEndObject();
          }
          page.writeEndArray();
          page.writeNumberField("policiesLeftOut", lines.size() - shown(lines).size());
          page.writeObjectFieldStart("top");
          AdminPages.top(page, engine.policies(), metrics);
          page.writeEndObject();
          exceptions(page);
        });
  }

  private static String version() {
    String version = SnapshotJson.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  private static void counts(JsonGenerator page, Counts counts) throws IOException {
    page.writeNumberField("admitted", counts.admitted());
    page.writeNumberField("refused", counts.refused());
    page.writeNumberField("shadowRefused", counts.shadowRefused());
    page.writeNumberField("degraded", counts.degraded());
  }

  private static void rates(JsonGenerator page, Recent all) throws IOException {
    page.writeObjectFieldStart("perSecond");
    page.writeNumberField("admitted", all.perSecond(Counts::admitted));
    page.writeNumberField("refused", all.perSecond(Counts::refused));
    page.writeNumberField("shadowRefused", all.perSecond(Counts::shadowRefused));
    page.writeNumberField("degraded", all.perSecond(Counts::degraded));
    page.writeEndObject();
  }

  private static void number(JsonGenerator page, String name, @Nullable Double number)
      throws IOException {
    if (number == null) {
      page.writeNullField(name);
    } else {
      page.writeNumberField(name, number);
    }
  }

  private static void store(JsonGenerator page, Stores stores) throws IOException {
    Optional<String> trouble = stores.trouble(); // once: it may be over in a moment
    MemoryStore memory = stores.memory();
    page.writeObjectFieldStart("store");
    page.writeStringField("kind", stores.isLocal() ? "memory" : "redis");
    page.writeStringField("state", trouble.isEmpty() ? "up" : "down");
    if (trouble.isPresent()) {
      page.writeStringField("trouble", trouble.get());
    }
    // Trouble is what the breaker remembers, so the one is open while there is the other.
    page.writeStringField(
        "breaker", stores.isLocal() ? "none" : trouble.isEmpty() ? "closed" : "open");
    page.writeNumberField("keys", memory.keys() - memory.callKeys());
    page.writeNumberField("maxKeys", memory.maxKeys());
    page.writeNumberField("requestKeys", memory.callKeys());
    page.writeNumberField("maxRequestKeys", memory.maxCallKeys());
    page.writeNumberField("overflowCells", memory.overflowCells());
    page.writeEndObject();
  }

  private void line(JsonGenerator page, Roster.Line line, History history) throws IOException {
    page.writeStringField("name", line.name());
    page.writeStringField("kind", line.kind());
    AdminPages.limits(page, line.limits());
    page.writeStringField("mode", AdminPages.mode(line.shadow()));
    Policy policy = line.policy();
    History.Track track = history.track(line.name());
    if (track == null) { // one of too many to have a timeline
      counts(page, line.counts());
      page.writeNumberField("perSecond", 0);
      page.writeNullField("use");
      page.writeNullField("nearLimit");
    } else {
      counts(page, track.recent().newest().counts());
      page.writeNumberField("perSecond", track.recent().perSecond(Counts::all));
      number(page, "use", track.recent().use());
      number(page, "nearLimit", track.recent().nearLimit());
    }
    page.writeNumberField("overrides", policy == null ? 0 : policy.settings().overrides().size());
    page.writeObjectFieldStart("column");
    page.writeNumberField("start", history.columnStart());
    counts(page, track == null ? Counts.NONE : history.current(track));
    page.writeEndObject();
    if (policy != null && policy.candidate() != null) {
      candidate(page, policy, policy.candidate());
    }
  }

  private void candidate(JsonGenerator page, Policy live, Policy candidate) throws IOException {
    Comparison both = metrics.comparison(live, candidate);
    page.writeObjectFieldStart("candidate");
    page.writeStringField("name", candidate.name());
    AdminPages.limits(page, candidate.settings().limits());
    page.writeNumberField("bothAllow", both == null ? 0 : both.bothAllow());
    page.writeNumberField("onlyLiveAllows", both == null ? 0 : both.onlyLiveAllows());
    page.writeNumberField("onlyCandidateAllows", both == null ? 0 : both.onlyCandidateAllows());
    page.writeNumberField("bothRefuse", both == null ? 0 : both.bothRefuse());
    page.writeEndObject();
  }

  private void exceptions(JsonGenerator page) throws IOException {
    List<Exceptions.Entry> all = engine.exceptions().all();
    Policies policies = engine.policies();
    page.writeArrayFieldStart("exceptions");
    for (Exceptions.Entry entry : all.subList(0, Math.min(MOST_EXCEPTIONS, all.size()))) {
      boolean hides = metrics.hashesTopKeys() || AdminPages.hides(policies, entry.policy());
      page.writeStartObject();
      page.writeStringField("policy", entry.policy());
      page.writeStringField(
          "key",
          hides ? AdminPages.hash(entry.key()) : new String(entry.key(), StandardCharsets.UTF_8));
      if (hides) {
        page.writeBooleanField("hashed", true);
      }
      page.writeStringField("kind", entry.kind().name().toLowerCase(Locale.ROOT));
      page.writeNumberField("until", engine.exceptions().endMillis(entry));
      page.writeEndObject();
    }
    page.writeEndArray();
    page.writeNumberField("exceptionsLeftOut", Math.max(0, all.size() - MOST_EXCEPTIONS));
  }
}
