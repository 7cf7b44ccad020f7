package dev.stint.server.config;

import dev.stint.server.config.Yaml.Entries;
import dev.stint.server.config.Yaml.Entry;
import dev.stint.server.config.Yaml.Items;
import dev.stint.server.config.Yaml.Scalar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the YAML that a configuration needs: maps, lists and single values in one document.
 *
 * <p>Anchors, aliases, tags and merge keys are refused. So nothing grows beyond the size of its
 * file, and nothing is what it does not look like.
 */
final class YamlReader {

  private static final int DEEPEST = 100;

  /** What the parser says, and what helps. Whatever is not here is told in the parser's words. */
  private static final Map<String, String> CURES =
      Map.of(
          "TAB",
          "a tab must not stand here; indent with blanks",
          "mapping values are not allowed here",
          "a ':' must not stand here; put the value in quotes, or mend the indentation",
          "could not find expected ':'",
          "a ':' must follow a name; add it, or mend the indentation",
          "Version{",
          "must be YAML 1.2; remove the line that begins with %YAML",
          "unexpected end of stream",
          "the quotes must be closed, and the file ends before; add the missing quote");

  private final String file;
  private final Deque<Open> open = new ArrayDeque<>();
  private int documents;
  private @Nullable Yaml root;

  private YamlReader(String file) {
    this.file = file;
  }

  /** A map or list that has not ended; in a map, {@code name} waits for its value. */
  private static final class Open {
    final Place place;
    final boolean isMap;
    final List<Yaml> items = new ArrayList<>();
    final List<Entry> entries = new ArrayList<>();
    @Nullable Scalar name;

    Open(Place place, boolean isMap) {
      this.place = place;
      this.isMap = isMap;
    }

    Yaml closed() {
      return isMap ? new Entries(place, entries) : new Items(place, items);
    }
  }

  /** Ends the reading at the first thing that is no YAML for us. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Place place;

    Refused(Place place, String sentence) {
      super(sentence, null, false, false);
      this.place = place;
    }
  }

  /** What a text holds: empty if nothing, or if there was a mistake. */
  static Optional<Yaml> read(String file, String text, Mistakes mistakes) {
    YamlReader reader = new YamlReader(file);
    try {
      reader.checkCharacters(text);
      for (Event event :
          new Parse(LoadSettings.builder().setLabel(file).setBufferSize(8192).build())
              .parseString(text)) {
        reader.take(event);
      }
      return Optional.ofNullable(reader.root);
    } catch (Refused e) {
      mistakes.add(e.place, String.valueOf(e.getMessage()));
    } catch (MarkedYamlEngineException e) {
      Place place = e.getProblemMark().map(reader::place).orElse(new Place(file, 1, 1));
      mistakes.add(place, sentence(String.valueOf(e.getProblem())));
    } catch (YamlEngineException e) {
      mistakes.add(new Place(file, 1, 1), sentence(String.valueOf(e.getMessage())));
    }
    return Optional.empty();
  }

  private static String sentence(String problem) {
    for (Map.Entry<String, String> cure : CURES.entrySet()) {
      if (problem.contains(cure.getKey())) {
        return cure.getValue();
      }
    }
    return "must be YAML: "
        + Quote.escape(problem)
        + "; look at the indentation, the quotes and the brackets";
  }

  private void checkCharacters(String text) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      if (!StreamReader.isPrintable(c)) {
        throw new Refused(
            TextFile.end(file, text.substring(0, i)),
            String.format("the character U+%04X must not stand in YAML; remove it", c));
      }
    }
  }

  private void take(Event event) {
    if (event instanceof DocumentStartEvent && ++documents > 1) {
      throw new Refused(
          place(event), "there must be one document in a file, and here a second begins");
    }
    if (event instanceof NodeEvent node) {
      checkPlain(node);
    }
    if (event instanceof ScalarEvent scalar) {
      add(scalar(scalar));
    } else if (event instanceof CollectionStartEvent start) {
      begin(new Open(place(start), start instanceof MappingStartEvent));
    } else if (event instanceof CollectionEndEvent) {
      add(open.pop().closed());
    }
  }

  private void begin(Open next) {
    Open outer = open.peek();
    if (outer != null && outer.isMap && outer.name == null) {
      throw new Refused(
          next.place, "a name must be a single word, was " + (next.isMap ? "a map" : "a list"));
    }
    if (open.size() == DEEPEST) {
      throw new Refused(
          next.place, "maps and lists must be at most " + DEEPEST + " deep, and these are deeper");
    }
    open.push(next);
  }

  private void add(Yaml value) {
    Open outer = open.peek();
    if (outer == null) {
      root = value;
    } else if (!outer.isMap) {
      outer.items.add(value);
    } else if (outer.name == null) {
      outer.name = name((Scalar) value); // whatever else there could be, begin has refused
    } else {
      outer.entries.add(new Entry(outer.name, value));
      outer.name = null;
    }
  }

  private static Scalar name(Scalar scalar) {
    if (scalar.text().equals("<<") && !scalar.isQuoted()) {
      throw new Refused(
          scalar.place(), "'<<' must not stand here; write the entries out instead of merging");
    }
    return scalar;
  }

  private void checkPlain(NodeEvent node) {
    if (node instanceof AliasEvent || node.getAnchor().isPresent()) {
      throw new Refused(
          place(node), "anchors and aliases ('&' and '*') must not stand here; write it out");
    }
    Optional<String> tag =
        node instanceof ScalarEvent scalar
            ? scalar.getTag()
            : node instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
    if (tag.isPresent()) {
      throw new Refused(place(node), "tags such as '!!str' must not stand here; remove it");
    }
  }

  private Scalar scalar(ScalarEvent event) {
    String text = event.getValue();
    Place start = place(event);
    Place end = event.getEndMark().map(this::place).orElse(start);
    int inset = event.isPlain() ? 0 : 1;
    boolean exact =
        start.line() == end.line() && end.column() - start.column() == text.length() + 2 * inset;
    return new Scalar(start, text, !event.isPlain(), inset, exact);
  }

  private Place place(Event event) {
    return event.getStartMark().map(this::place).orElse(new Place(file, 1, 1));
  }

  private Place place(Mark mark) {
    return new Place(file, mark.getLine() + 1, mark.getColumn() + 1);
  }
}
