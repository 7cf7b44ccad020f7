package dev.stint.studio.findings;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Findings as JSON; {@code docs/schemas/findings.json} says what is in it. */
public final class FindingsJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;

  private FindingsJson(JsonGenerator json) {
    this.json = json;
  }

  /** All of it, indented. */
  public static String of(Findings findings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      new FindingsJson(json).write(findings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private void write(Findings findings) throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", 1);
    json.writeStringField("command", findings.command());
    json.writeBooleanField("interrupted", findings.interrupted());
    source(findings.source());
    json.writeNumberField("requests", findings.requests());
    json.writeNumberField("keys", findings.keys());
    json.writeObjectFieldStart("axis");
    json.writeNumberField("start", findings.arrived().start());
    json.writeNumberField("step", findings.arrived().step());
    json.writeNumberField("columns", findings.arrived().size());
    json.writeNumberField("last", findings.arrived().last());
    json.writeEndObject();
    series("arrived", findings.arrived(), findings.arrived().size());
    json.writeArrayFieldStart("lanes");
    for (Findings.Lane lane : findings.lanes()) {
      lane(lane, findings.arrived().size());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("distributions");
    for (Distribution distribution : findings.distributions()) {
      distribution(distribution);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("proposals");
    for (Findings.Proposal proposal : findings.proposals()) {
      proposal(proposal);
    }
    json.writeEndArray();
    json.writeStringField("verdict", findings.verdict());
    json.writeStringField("yaml", findings.yaml());
    json.writeEndObject();
  }

  private void source(Findings.Source source) throws IOException {
    json.writeObjectFieldStart("source");
    json.writeStringField("name", source.name());
    json.writeStringField("format", source.format());
    json.writeStringField("by", source.by());
    json.writeNumberField("lines", source.lines());
    json.writeNumberField("bad", source.bad());
    json.writeNumberField("late", source.late());
    if (source.seed().isPresent()) {
      json.writeNumberField("seed", source.seed().get());
    }
    json.writeArrayFieldStart("notes");
    for (String note : source.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void lane(Findings.Lane lane, int columns) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", lane.name());
    json.writeArrayFieldStart("limits");
    for (String limit : lane.limits()) {
      json.writeString(limit);
    }
    json.writeEndArray();
    json.writeNumberField("admitted", lane.admitted());
    json.writeNumberField("refused", lane.refused());
    json.writeNumberField("keysRefused", lane.keysRefused());
    json.writeNumberField("worstSecond", lane.worstSecond());
    json.writeNumberField("worstMinute", lane.worstMinute());
    json.writeNumberField("unneeded", lane.unneeded());
    json.writeNumberField("missed", lane.missed());
    series("admittedOverTime", lane.admittedOverTime(), columns);
    series("refusedOverTime", lane.refusedOverTime(), columns);
    json.writeArrayFieldStart("offenders");
    for (Findings.Offender offender : lane.offenders()) {
      json.writeStartObject();
      json.writeStringField("key", offender.key());
      json.writeNumberField("requests", offender.requests());
      json.writeNumberField("refused", offender.refused());
      json.writeStringField("pattern", offender.pattern());
      Optional<Timeline> spark = offender.refusedOverTime();
      if (spark.isPresent()) {
        json.writeNumberField("refusedStep", spark.get().step()); // not the axis's: it is coarser
        series("refusedOverTime", spark.get(), spark.get().size());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** As many columns as arrivals have, so that all lie on one axis. */
  private void series(String name, Timeline timeline, int columns) throws IOException {
    json.writeArrayFieldStart(name);
    for (int i = 0; i < columns; i++) {
      json.writeNumber(i < timeline.size() ? timeline.at(i) : 0);
    }
    json.writeEndArray();
  }

  private void distribution(Distribution distribution) throws IOException {
    Map<Integer, Long> peaks = distribution.peaks();
    Map<Integer, Long> spans = distribution.spans();
    TreeSet<Integer> amounts = new TreeSet<>(spans.keySet());
    amounts.addAll(peaks.keySet());
    json.writeStartObject();
    json.writeStringField("span", Span.exactly(distribution.span()));
    json.writeNumberField("micros", distribution.span());
    json.writeArrayFieldStart("points"); // [units, keys with this busiest span, spans with it]
    for (int amount : amounts) {
      json.writeStartArray();
      json.writeNumber(amount);
      json.writeNumber(peaks.getOrDefault(amount, 0L));
      json.writeNumber(spans.getOrDefault(amount, 0L));
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void proposal(Findings.Proposal proposal) throws IOException {
    json.writeStartObject();
    json.writeStringField("limit", proposal.limit());
    json.writeNumberField("share", proposal.share());
    json.writeNumberField("keysRefused", proposal.keysRefused());
    json.writeNumberField("refused", proposal.refused());
    json.writeNumberField("shareOfRequests", proposal.shareOfRequests());
    json.writeStringField("price", proposal.price());
    json.writeEndObject();
  }
}
