package dev.stint.server.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Reading;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** What a check found, as JSON; {@code docs/schemas/check.json} says what is in it. */
final class CheckJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  private CheckJson() {}

  static String of(Map<Path, Reading> readings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeNumberField("version", 1);
      json.writeArrayFieldStart("files");
      for (Map.Entry<Path, Reading> one : readings.entrySet()) {
        write(json, one.getKey(), one.getValue());
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, Path file, Reading reading) throws IOException {
    json.writeStartObject();
    json.writeStringField("file", file.toString());
    json.writeBooleanField("ok", reading.isGood());
    json.writeArrayFieldStart("mistakes");
    for (Mistake mistake : reading.mistakes()) {
      json.writeStartObject();
      json.writeStringField("file", mistake.place().file());
      json.writeNumberField("line", mistake.place().line());
      json.writeNumberField("column", mistake.place().column());
      json.writeStringField("text", mistake.sentence());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (reading.isGood()) {
      json.writeNumberField("policies", reading.configuration().policies().size());
      json.writeNumberField("domains", reading.configuration().rls().domains().size());
    }
    json.writeEndObject();
  }
}
