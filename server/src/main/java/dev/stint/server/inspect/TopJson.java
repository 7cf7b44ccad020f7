package dev.stint.server.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;

/** The busiest keys as JSON; every field is told of in {@code docs/schemas/top.json}. */
final class TopJson {

  private static final JsonFactory JSON = new JsonFactory();
  private static final String[] COUNTS = {"admitted", "refused", "shadowRefused", "degraded"};

  private TopJson() {}

  static String of(Tree snapshot) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("version", 1);
      json.writeNumberField("now", (long) snapshot.number("now"));
      json.writeObjectFieldStart("totals");
      for (String name : COUNTS) {
        json.writeNumberField(name, (long) snapshot.at("totals").number(name));
      }
      json.writeEndObject();
      json.writeObjectFieldStart("perSecond");
      for (String name : COUNTS) {
        json.writeNumberField(name, snapshot.at("perSecond").number(name));
      }
      json.writeEndObject();
      keys(json, snapshot, "used");
      keys(json, snapshot, "refused");
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void keys(JsonGenerator json, Tree snapshot, String list) throws IOException {
    json.writeArrayFieldStart(list);
    for (Tree key : snapshot.at("top").list(list)) {
      json.writeStartObject();
      json.writeStringField("policy", key.text("policy"));
      json.writeStringField("key", key.text("key"));
      json.writeBooleanField("hashed", key.is("hashed"));
      if (key.is("shadow")) {
        json.writeBooleanField("shadow", true);
      }
      json.writeNumberField("count", (long) key.number("count"));
      json.writeNumberField("error", (long) key.number("error"));
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
