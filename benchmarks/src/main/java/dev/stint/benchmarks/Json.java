package dev.stint.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes maps, lists, texts, numbers and truth values as JSON, indented by two. */
public final class Json {

  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /** The value as JSON, with a newline at its end. */
  public static String write(Object value) {
    Json json = new Json();
    json.value(value, 0);
    return json.text.append('\n').toString();
  }

  private void value(Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      map(map, depth);
    } else if (value instanceof List<?> list) {
      list(list, depth);
    } else if (value instanceof Double number) {
      // JSON has no word for what is not a number.
      text.append(Double.isFinite(number) ? String.format(Locale.ROOT, "%.3f", number) : "null");
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      string(value.toString());
    }
  }

  private void map(Map<?, ?> map, int depth) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(separator);
      line(depth + 1);
      string(entry.getKey().toString());
      text.append(": ");
      value(entry.getValue(), depth + 1);
      separator = ",";
    }
    end(map.isEmpty(), "{", "}", depth);
  }

  private void list(List<?> list, int depth) {
    String separator = "[";
    for (Object element : list) {
      text.append(separator);
      line(depth + 1);
      value(element, depth + 1);
      separator = ",";
    }
    end(list.isEmpty(), "[", "]", depth);
  }

  private void end(boolean empty, String open, String close, int depth) {
    if (empty) {
      text.append(open);
    } else {
      line(depth);
    }
    text.append(close);
  }

  private void line(int depth) {
    text.append('\n').append("  ".repeat(depth));
  }

  private void string(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        default -> {
          if (c < ' ') {
            text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
