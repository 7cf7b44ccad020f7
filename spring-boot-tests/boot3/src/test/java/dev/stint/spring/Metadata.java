package dev.stint.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.json.JsonParserFactory;

/** What the starter's jar tells an IDE about its properties. */
final class Metadata {

  private static final String FILE = "META-INF/spring-configuration-metadata.json";

  private final Map<String, Object> json;

  private Metadata(Map<String, Object> json) {
    this.json = json;
  }

  static Metadata read() {
    try {
      Enumeration<URL> all = Metadata.class.getClassLoader().getResources(FILE);
      while (all.hasMoreElements()) {
        URL url = all.nextElement();
        try (InputStream in = url.openStream()) {
          String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          if (text.contains("\"dev.stint.spring.StintProperties\"")) {
            return new Metadata(JsonParserFactory.getJsonParser().parseMap(text));
          }
        }
      }
      throw new IllegalStateException(FILE + " of the starter must be on the class path");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The properties under {@code stint} by name. */
  Map<String, Map<String, Object>> properties() {
    Map<String, Map<String, Object>> named = new TreeMap<>();
    for (Map<String, Object> item : items("properties")) {
      String name = (String) item.get("name");
      if (name.startsWith("stint.")) {
        named.put(name, item);
      }
    }
    return named;
  }

  /** The values that are proposed for a property. */
  List<String> proposals(String property) {
    for (Map<String, Object> hint : items("hints")) {
      if (property.equals(hint.get("name"))) {
        return items(hint, "values").stream().map(value -> (String) value.get("value")).toList();
      }
    }
    return List.of();
  }

  private List<Map<String, Object>> items(String list) {
    return items(json, list);
  }

  private static List<Map<String, Object>> items(Map<String, Object> in, String list) {
    return ((List<?>) in.getOrDefault(list, List.of())).stream().map(Metadata::named).toList();
  }

  private static Map<String, Object> named(Object item) {
    Map<String, Object> named = new LinkedHashMap<>();
    ((Map<?, ?>) item).forEach((key, value) -> named.put((String) key, value));
    return named;
  }
}
