package dev.stint.studio.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The first lines of a log, read ahead to see what they are. */
final class Head {

  private static final int ROOM = 1 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<byte[]> lines = new ArrayList<>();
  private int cut;

  /** Reads on until there are so many lines, or a mebibyte, or no more. */
  void fill(InputStream stream, int wanted) throws IOException {
    byte[] some = new byte[1 << 15];
    boolean ended = false;
    while (lines.size() < wanted && bytes.size() < ROOM && !ended) {
      int read = stream.read(some);
      ended = read < 0;
      bytes.write(some, 0, Math.max(0, read));
      cutLines(wanted, ended);
    }
  }

  private void cutLines(int most, boolean ended) {
    byte[] all = bytes.toByteArray();
    for (int i = cut; i < all.length && lines.size() < most; i++) {
      if (all[i] == '\n') {
        add(all, i);
        cut = i + 1;
      }
    }
    if (ended && cut < all.length && lines.size() < most) {
      add(all, all.length);
      cut = all.length;
    }
  }

  private void add(byte[] all, int end) {
    int to = end > cut && all[end - 1] == '\r' ? end - 1 : end;
    if (to > cut && to - cut <= Lines.LONGEST) {
      lines.add(java.util.Arrays.copyOfRange(all, cut, to));
    }
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** The lines so far, but for empty ones. */
  List<byte[]> lines() {
    return lines;
  }

  /** The same as text. */
  List<String> texts() {
    return lines.stream().map(line -> new String(line, StandardCharsets.UTF_8)).toList();
  }

  boolean isBlank() {
    for (byte b : bytes.toByteArray()) {
      if (b != '\n' && b != '\r' && b != ' ' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Whether one byte in twenty is none that text has; a few are in any log, from its clients. */
  boolean isBinary() {
    int strange = 0;
    for (byte b : bytes.toByteArray()) {
      strange += b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' ? 1 : 0;
    }
    return strange * 20L > bytes.size();
  }
}
