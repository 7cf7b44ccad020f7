package dev.stint.studio.findings;

import dev.stint.studio.cli.Ink;

/** Findings as text for a terminal or a file. */
public final class FindingsText {

  private FindingsText() {}

  /** All of it, no wider than {@code columns} where that can be done. */
  public static String of(Findings findings, Ink ink, int columns) {
    throw new UnsupportedOperationException(findings.command() + ink + columns);
  }
}
