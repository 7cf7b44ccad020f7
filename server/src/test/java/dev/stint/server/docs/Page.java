package dev.stint.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation: its examples and its tables. */
public record Page(String name, List<String> lines) {

  private static final Path ROOT = Path.of("..");
  private static final String FENCE = "```";
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  /**
   * A fenced block.
   *
   * @param language all that stands behind the fence
   * @param line where the fence is
   */
  public record Block(String language, int line, String text) {}

  /** The page of this name, seen from the project's root. */
  public static Page of(String name) {
    try {
      return new Page(name, Files.readAllLines(ROOT.resolve(name)));
    } catch (IOException e) {
      throw new AssertionError("there must be a page " + name, e);
    }
  }

  /** Pages with examples for the service and the command line. */
  static Stream<Page> ofService() {
    return Stream.of(
            "README.md",
            "docs/choose.md",
            "docs/server.md",
            "docs/configuration.md",
            "docs/migration.md")
        .map(Page::of);
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        int fence = i;
        StringBuilder text = new StringBuilder();
        for (i++; i < lines.size() && !lines.get(i).startsWith(FENCE); i++) {
          text.append(lines.get(i)).append('\n');
        }
        blocks.add(new Block(lines.get(fence).substring(3).trim(), fence + 1, text.toString()));
      }
    }
    return blocks;
  }

  /** Where a block stands, as an editor finds it. */
  String place(Block block) {
    return name + ":" + block.line;
  }

  /** The rows of all tables under a heading, each as its cells, without those of their heads. */
  public List<List<String>> rows(String heading) {
    int start = lines.indexOf(heading);
    if (start < 0) {
      throw new AssertionError(name + " must have the heading '" + heading + "'");
    }
    List<List<String>> rows = new ArrayList<>();
    for (String line : lines.subList(start + 1, lines.size())) {
      if (line.startsWith("#")) {
        break;
      }
      if (line.startsWith("| `")) {
        rows.add(Stream.of(line.substring(1).split("\\|", -1)).map(String::strip).toList());
      }
    }
    return rows;
  }

  /** What stands between backticks. */
  public static List<String> quoted(String cell) {
    return QUOTED.matcher(cell).results().map((MatchResult found) -> found.group(1)).toList();
  }
}
