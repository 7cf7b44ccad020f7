package dev.stint.benchmarks.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A server answered something else than it must; a run with such an answer is worth nothing. */
final class WrongReply extends IOException {

  private static final long serialVersionUID = 1L;
  private static final int MOST = 400;

  /** Tells the beginning of the reply. */
  WrongReply(String must, byte[] bytes, int from, int to) {
    super(
        must
            + ": "
            + new String(bytes, from, Math.min(to - from, MOST), StandardCharsets.UTF_8)
                .replace("\r\n", "⏎"));
  }
}
