package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Objects of JSON as text, with a line end. */
final class Json {

  static final JsonFactory FACTORY = new JsonFactory();

  /** What stands in an object. */
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  private Json() {}

  static String of(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  static String error(String sentence) {
    return of(json -> json.writeStringField("error", sentence));
  }
}
