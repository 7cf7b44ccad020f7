package dev.stint.studio.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object a line, as nginx and Envoy write them, or anybody else.
 *
 * <p>A field within an object is named with dots: {@code request.remote_ip}.
 */
final class JsonFormat implements LineFormat {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // Whoever writes the log chooses the names: a table of them must not be made to fail.
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final String name;
  private final Wanted wanted;
  private final String timeField;
  private final List<String> byFields = new ArrayList<>();
  private final @Nullable String costField;
  private final TimeText time = new TimeText();

  /**
   * A reader of lines such as the first.
   *
   * @param times what the time may be called; empty for all that is usual
   */
  JsonFormat(String name, List<String> times, Wanted wanted, List<String> first) {
    this.name = name;
    this.wanted = wanted;
    Set<String> present = new LinkedHashSet<>();
    first.forEach(line -> collect(line, present));
    this.timeField = timeField(times, wanted, present);
    for (String by : wanted.by()) {
      byFields.add(field(by, present));
    }
    this.costField = wanted.cost() == null ? null : field(wanted.cost(), present);
  }

  private static String timeField(List<String> times, Wanted wanted, Set<String> present) {
    if (wanted.time() != null) {
      return field(wanted.time(), present);
    }
    return times.isEmpty()
        ? field(Names.TIME, present)
        : times.stream()
            .filter(present::contains)
            .findFirst()
            .orElseThrow(() -> Wanted.unknown(times.get(0), List.copyOf(present)));
  }

  private static String field(String name, Set<String> present) {
    return Names.find(name, present).orElseThrow(() -> Wanted.unknown(name, List.copyOf(present)));
  }

  private static void collect(String line, Set<String> names) {
    try (JsonParser json = FACTORY.createParser(line)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        collect(json, "", names);
      }
    } catch (IOException e) {
      // A line that is no JSON has no names.
    }
  }

  private static void collect(JsonParser json, String prefix, Set<String> names)
      throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = prefix + json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_OBJECT) {
        collect(json, name + ".", names);
      } else if (value == JsonToken.START_ARRAY) {
        json.skipChildren();
      } else {
        names.add(name);
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String taken() {
    return "time in '" + timeField + "', clients by '" + String.join("' and '", byFields) + "'";
  }

  @Override
  public boolean hasFractions() {
    return time.hasFractions();
  }

  @Override
  public @Nullable String read(byte[] line, int from, int to, Entry entry) {
    entry.micros = TimeText.NONE;
    entry.cost = costField == null ? 1 : 0;
    try (JsonParser json = FACTORY.createParser(line, from, to - from)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return "no JSON object";
      }
      object(json, "", entry);
      if (json.nextToken() != null) {
        return "more than one JSON object";
      }
    } catch (IOException e) {
      return "no whole JSON object";
    }
    int missing = entry.missing();
    if (entry.micros == TimeText.NONE) {
      return "no time of the years " + TimeText.YEARS + " in '" + timeField + "'";
    }
    if (missing >= 0) {
      return "no " + wanted.by().get(missing);
    }
    if (entry.cost == 0) {
      return Wanted.COST;
    }
    entry.seal();
    return null;
  }

  private void object(JsonParser json, String prefix, Entry entry) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = prefix.isEmpty() ? json.currentName() : prefix + json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_OBJECT) {
        object(json, field + ".", entry);
      } else if (value == JsonToken.START_ARRAY) {
        json.skipChildren();
      } else if (value != JsonToken.VALUE_NULL && isWanted(field)) {
        take(json, field, entry);
      }
    }
  }

  private boolean isWanted(String field) {
    return field.equals(timeField) || field.equals(costField) || byFields.contains(field);
  }

  private void take(JsonParser json, String field, Entry entry) throws IOException {
    int from = entry.mark();
    utf8(json.getTextCharacters(), json.getTextOffset(), json.getTextLength(), entry);
    byte[] b = entry.text();
    int to = entry.mark();
    if (field.equals(timeField)) {
      entry.micros = time.read(b, from, to);
    }
    if (field.equals(costField)) {
      entry.cost = Wanted.cost(b, from, to);
    }
    for (int i = 0; i < byFields.size(); i++) {
      if (field.equals(byFields.get(i))) {
        Names.part(entry, i, wanted.by().get(i), field, b, from, to);
      }
    }
  }

  private static void utf8(char[] chars, int from, int length, Entry entry) {
    for (int i = from; i < from + length; i++) {
      int point = chars[i];
      if (Character.isHighSurrogate(chars[i])
          && i + 1 < from + length
          && Character.isLowSurrogate(chars[i + 1])) {
        point = Character.toCodePoint(chars[i], chars[++i]);
      }
      if (point < 0x80) {
        entry.add(point);
      } else if (point < 0x800) {
        entry.add(0xc0 | point >> 6);
        entry.add(0x80 | (point & 0x3f));
      } else if (point < 0x10000) {
        entry.add(0xe0 | point >> 12);
        entry.add(0x80 | ((point >> 6) & 0x3f));
        entry.add(0x80 | (point & 0x3f));
      } else {
        entry.add(0xf0 | point >> 18);
        entry.add(0x80 | ((point >> 12) & 0x3f));
        entry.add(0x80 | ((point >> 6) & 0x3f));
        entry.add(0x80 | (point & 0x3f));
      }
    }
  }
}
