package dev.stint.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A page of the documentation, and its examples. */
record Page(Path file, List<Block> blocks) {

  private static final Path ROOT = Path.of("..");

  /** A fenced block: its language, the line of its fence, its text. */
  record Block(String language, int line, String text) {}

  static Page of(String name) throws IOException {
    return read(ROOT.resolve(name));
  }

  /** The README and everything in docs. */
  static List<Page> all() throws IOException {
    List<Page> pages = new ArrayList<>();
    pages.add(of("README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".md")).sorted().toList()) {
        pages.add(read(file));
      }
    }
    return pages;
  }

  private static Page read(Path file) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        int fence = i;
        StringBuilder text = new StringBuilder();
        for (i++; i < lines.size() && !lines.get(i).startsWith("```"); i++) {
          text.append(lines.get(i)).append('\n');
        }
        blocks.add(new Block(lines.get(fence).substring(3).trim(), fence + 1, text.toString()));
      }
    }
    return new Page(file, blocks);
  }

  List<Block> blocks(String language) {
    return blocks.stream().filter(block -> block.language.equals(language)).toList();
  }

  /** Where a block stands, as an editor finds it. */
  String place(Block block) {
    return ROOT.relativize(file) + ":" + block.line;
  }
}
