package dev.stint.server.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON that was read: what is missing reads as empty, so that a newer or older service does. */
final class Tree {

  private static final JsonFactory JSON = new JsonFactory();

  private final @Nullable Object value;

  private Tree(@Nullable Object value) {
    this.value = value;
  }

  static Tree of(String json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      return new Tree(read(parser));
    }
  }

  private static @Nullable Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("the text has ended too early");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, read(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(read(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  Tree at(String name) {
    return new Tree(value instanceof Map<?, ?> map ? map.get(name) : null);
  }

  List<Tree> list(String name) {
    List<Tree> list = new ArrayList<>();
    if (at(name).value instanceof List<?> values) {
      values.forEach(one -> list.add(new Tree(one)));
    }
    return list;
  }

  boolean has(String name) {
    return at(name).value != null;
  }

  String text(String name) {
    return at(name).value instanceof String text ? text : "";
  }

  boolean is(String name) {
    return Boolean.TRUE.equals(at(name).value);
  }

  double number(String name) {
    return at(name).value instanceof Double number ? number : 0;
  }

  /** A text from elsewhere, without what a terminal would obey. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }
}
