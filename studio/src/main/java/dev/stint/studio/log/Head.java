package dev.stint.studio.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The first lines of a log, read ahead to see what they are. */
final class Head {

  private static final int ROOM = 1 << 20;
  private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<byte[]> lines = new ArrayList<>();
  private int cut;
  private boolean begun;

  /** Reads on until there are so many lines, or a mebibyte, or no more. */
  void fill(InputStream stream, int wanted) throws IOException {
    byte[] some = new byte[1 << 15];
    boolean ended = false;
    while (lines.size() < wanted && bytes.size() < ROOM && !ended) {
      int read = stream.read(some);
      ended = read < 0;
      bytes.write(some, 0, Math.max(0, read));
      if (bytes.size() < MARK.length && !ended) {
        continue;
      }
      leaveOutMark();
      cutLines(wanted, ended);
    }
  }

  /** Some programs write a mark of the byte order before the first line; it belongs to none. */
  private void leaveOutMark() {
    byte[] all = bytes.toByteArray();
    if (!begun && Arrays.equals(all, 0, Math.min(MARK.length, all.length), MARK, 0, MARK.length)) {
      bytes.reset();
      bytes.write(all, MARK.length, all.length - MARK.length);
    }
    begun = true;
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
      lines.add(Arrays.copyOfRange(all, cut, to));
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
