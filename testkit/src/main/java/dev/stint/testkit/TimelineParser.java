package dev.stint.testkit;

import dev.stint.Limit;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the scenes of a timeline file: its header lines here, its steps in {@link StepParser}. */
final class TimelineParser {

  private static final Pattern HEADER =
      Pattern.compile("\\s*(scene|start|limit)(?:\\s+([^\\s:]+))?\\s*:\\s*(.*?)\\s*");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

  private final String source;
  private final List<Timeline> scenes = new ArrayList<>();

  private @Nullable String title;
  private int titleLine;
  private @Nullable Instant start;
  private Map<String, Limit> limits = new LinkedHashMap<>();
  private Tokens steps;

  private TimelineParser(String source) {
    this.source = source;
    this.steps = new Tokens(source);
  }

  static List<Timeline> parse(String source, String text) {
    TimelineParser parser = new TimelineParser(source);
    int line = 0;
    for (String raw : text.split("\\R", -1)) {
      line++;
      parser.line(raw.replaceFirst("(^|\\s)#.*", ""), line);
    }
    parser.endScene();
    if (parser.scenes.isEmpty()) {
      throw Tokens.error(
          source, 1, 1, "a timeline must have at least one step, such as '0s hit 1'");
    }
    return parser.scenes;
  }

  private void line(String text, int line) {
    Matcher header = HEADER.matcher(text);
    if (!header.matches()) {
      steps.addLine(text, line);
      return;
    }
    String value = header.group(3);
    switch (header.group(1)) {
      case "scene" -> {
        endScene();
        title = value;
        titleLine = line;
      }
      case "start" -> start = instant(value, line, header.start(3) + 1);
      default -> limit(header.group(2), value, line, header.start(3) + 1);
    }
    if (steps.hasNext()) {
      throw Tokens.error(
          source,
          line,
          1,
          "a scene's limits and start must come before its first step: " + text.trim());
    }
  }

  private Instant instant(String value, int line, int column) {
    try {
      return Instant.parse(value);
    } catch (DateTimeException e) {
      throw Tokens.error(
          source,
          line,
          column,
          "start must be a moment such as 2024-01-01T00:00:00Z: '" + value + "'");
    }
  }

  private void limit(@Nullable String label, String rate, int line, int column) {
    String name = label == null ? "" : label;
    if (label != null && !LABEL.matcher(label).matches()) {
      throw Tokens.error(source, line, 1, "a limit's label must be a word: '" + label + "'");
    }
    if (limits.containsKey(name)
        || (!limits.isEmpty() && limits.containsKey("") != name.isEmpty())) {
      throw Tokens.error(
          source, line, 1, "several limits must have a label each, such as 'limit daily: 100/day'");
    }
    try {
      limits.put(name, Limit.parse(rate));
    } catch (IllegalArgumentException e) {
      throw Tokens.error(source, line, column, String.valueOf(e.getMessage()));
    }
  }

  private void endScene() {
    if (steps.hasNext()) {
      String name = title == null ? source : title;
      List<Step> parsed = new StepParser(steps, List.copyOf(limits.keySet())).all();
      scenes.add(new Timeline(source, name, start, limits, parsed));
    } else if (title != null) {
      throw Tokens.error(
          source,
          titleLine,
          1,
          "scene '" + title + "' must have at least one step, such as '0s hit 1'");
    }
    title = null;
    start = null;
    limits = new LinkedHashMap<>();
    steps = new Tokens(source);
  }
}
