package dev.stint.studio.simulate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.stint.Decision;
import dev.stint.studio.trial.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Every decision as a line of JSON, so that answers can be compared. */
final class Decisions implements Simulation.Observer {

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;

  Decisions(PrintWriter out) {
    try {
      json = FACTORY.createGenerator(out).setPrettyPrinter(new MinimalPrettyPrinter(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void decided(Source.Request request, Trial trial) {
    Decision decision = trial.last();
    if (decision == null) {
      throw new IllegalStateException("a request must have been decided: " + request);
    }
    try {
      json.writeStartObject();
      json.writeNumberField("at", request.at());
      json.writeStringField("key", request.key());
      json.writeNumberField("cost", request.cost());
      json.writeStringField("algorithm", trial.plan().name());
      json.writeBooleanField("allowed", decision.allowed());
      json.writeStringField("limit", decision.limit().toString());
      json.writeNumberField("used", decision.used());
      json.writeNumberField("remaining", decision.remaining());
      after("retryAfterMicros", decision.retryAfter());
      after("resetAfterMicros", decision.resetAfter());
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A time that never comes is null. */
  private void after(String name, Duration duration) throws IOException {
    if (duration.equals(Decision.NEVER)) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, micros(duration, 0));
    }
  }

  /** Writes what is not written yet. */
  void end() {
    try {
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static long micros(Duration duration, long never) {
    return duration.equals(Decision.NEVER)
        ? never
        : duration.getSeconds() * 1_000_000 + duration.getNano() / 1000;
  }
}
