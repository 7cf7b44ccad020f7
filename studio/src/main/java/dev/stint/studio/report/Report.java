package dev.stint.studio.report;

import dev.stint.studio.findings.Findings;
import java.io.IOException;
import java.nio.file.Path;

/** Findings as one page that needs nothing else: no network, no other file. */
public final class Report {

  private Report() {}

  /** The page. */
  public static String of(Findings findings) {
    throw new UnsupportedOperationException(findings.command());
  }

  /** Writes the page into a file. */
  public static void write(Findings findings, Path file) throws IOException {
    java.nio.file.Files.writeString(file, of(findings));
  }
}
