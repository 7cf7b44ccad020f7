package dev.stint.server.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Spoils valid input, always in the same way for the same random numbers. */
final class Mutator {

  private static final int MOST_MUTATIONS = 4;
  private static final int MOST_REPEATS = 40;
  private static final int LONGEST = 200_000;
  private static final int PREFACE = 24;
  private static final int FRAME_HEAD = 9;

  private static final String[] NUMBERS = {
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "1048577",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999999999999",
    "1e400",
    "0x7f",
    "NaN",
    ""
  };
  private static final String[] ENDS = {
    "\n", "\r", "\r\r\n", "\r\n\r\n", "\n\n", " \r\n", "\r\n ", "\0\r\n"
  };
  private static final String[] PIECES = {
    "\0\0\u00ff\u00fe",
    "%00",
    "%",
    "%zz",
    "\"",
    "\\",
    "{",
    "[[[[[[[[",
    "Host: a\r\n",
    "*",
    "$",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\u00c0\u0080",
    "\u00ff\u00ff",
    "\r\n",
    ":",
    " ",
    "\t",
    "/../",
    "//",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
  };

  private final Random random;
  private final List<byte[]> seeds;
  private final boolean framed;

  /**
   * Spoils one of these.
   *
   * @param framed whether they are frames of HTTP/2
   */
  Mutator(Random random, List<byte[]> seeds, boolean framed) {
    this.random = random;
    this.seeds = seeds;
    this.framed = framed;
  }

  byte[] next() {
    byte[] input = seeds.get(random.nextInt(seeds.size())).clone();
    int mutations = 1 + random.nextInt(MOST_MUTATIONS);
    for (int i = 0; i < mutations && input.length > 0; i++) {
      input = framed && random.nextBoolean() ? mutateFrames(input) : mutateBytes(input);
      if (input.length > LONGEST) {
        return Arrays.copyOf(input, LONGEST);
      }
    }
    return input;
  }

  // ---- bytes -----------------------------------------------------------------------------------

  private byte[] mutateBytes(byte[] input) {
    int at = random.nextInt(input.length);
    int to = at + random.nextInt(Math.min(64, input.length - at)) + 1;
    switch (random.nextInt(9)) {
      case 0 -> input[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> input[at] = (byte) random.nextInt(256);
      case 2 -> {
        return Arrays.copyOf(input, at);
      }
      case 3 -> {
        return replace(input, at, to, new byte[0]);
      }
      case 4 -> {
        return replace(input, at, at, repeat(Arrays.copyOfRange(input, at, to)));
      }
      case 5 -> {
        byte[] noise = new byte[1 + random.nextInt(32)];
        random.nextBytes(noise);
        return replace(input, at, at, noise);
      }
      case 6 -> {
        return replaceNumber(input, at);
      }
      case 7 -> {
        return replaceLineEnd(input, at);
      }
      default -> {
        return replace(input, at, at, piece());
      }
    }
    return input;
  }

  private byte[] piece() {
    if (random.nextInt(4) == 0) {
      return seeds.get(random.nextInt(seeds.size()));
    }
    return PIECES[random.nextInt(PIECES.length)].getBytes(
        java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private byte[] repeat(byte[] part) {
    int times = 1 + random.nextInt(MOST_REPEATS);
    if (random.nextInt(50) == 0) {
      times *= 100;
    }
    byte[] all = new byte[part.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(part, 0, all, i * part.length, part.length);
    }
    return all;
  }

  /** The first number from here on becomes another. */
  private byte[] replaceNumber(byte[] input, int from) {
    int at = from;
    while (at < input.length && !isDigit(input[at])) {
      at++;
    }
    int end = at;
    while (end < input.length && isDigit(input[end])) {
      end++;
    }
    return replace(input, at, end, NUMBERS[random.nextInt(NUMBERS.length)].getBytes(US_ASCII));
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private byte[] replaceLineEnd(byte[] input, int from) {
    for (int at = from; at + 1 < input.length; at++) {
      if (input[at] == '\r' && input[at + 1] == '\n') {
        return replace(input, at, at + 2, ENDS[random.nextInt(ENDS.length)].getBytes(US_ASCII));
      }
    }
    return input;
  }

  private static byte[] replace(byte[] input, int from, int to, byte[] with) {
    byte[] result = new byte[input.length - (to - from) + with.length];
    System.arraycopy(input, 0, result, 0, from);
    System.arraycopy(with, 0, result, from, with.length);
    System.arraycopy(input, to, result, from + with.length, input.length - to);
    return result;
  }

  // ---- frames ----------------------------------------------------------------------------------

  private byte[] mutateFrames(byte[] input) {
    if (input.length < PREFACE + FRAME_HEAD) {
      return input;
    }
    List<byte[]> frames = frames(input);
    int which = random.nextInt(frames.size());
    byte[] frame = frames.get(which).clone();
    frames.set(which, frame);
    switch (random.nextInt(8)) {
      case 0 -> Collections.shuffle(frames, random);
      case 1 -> frames.add(random.nextInt(frames.size() + 1), frame);
      case 2 -> frames.remove(which);
      case 3 -> frame[Math.min(3, frame.length - 1)] = (byte) random.nextInt(12);
      case 4 -> frame[Math.min(4, frame.length - 1)] = (byte) random.nextInt(256);
      case 5 -> set(frame, 5, random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(8));
      case 6 -> set(frame, 0, random.nextInt(2) == 0 ? random.nextInt() : random.nextInt(64) << 8);
      default -> {
        for (int i = random.nextInt(MOST_REPEATS); i > 0; i--) {
          frames.add(which, frame);
        }
      }
    }
    frames.add(0, Arrays.copyOf(input, PREFACE));
    return Http2Frames.join(frames.toArray(byte[][]::new));
  }

  /** Sets up to four bytes, as many as there are. */
  private static void set(byte[] frame, int at, int value) {
    int most = at == 0 ? 3 : 4; // a length has three
    for (int i = 0; i < most && at + i < frame.length; i++) {
      frame[at + i] = (byte) (value >> (24 - 8 * i));
    }
  }

  /** What follows the preface; the last may be broken. */
  private static List<byte[]> frames(byte[] input) {
    List<byte[]> frames = new ArrayList<>();
    for (int at = PREFACE; at < input.length; ) {
      int length = 0;
      for (int i = 0; i < 3 && at + i < input.length; i++) {
        length = (length << 8) | (input[at + i] & 255);
      }
      int end = (int) Math.min(input.length, at + (long) FRAME_HEAD + length);
      frames.add(Arrays.copyOfRange(input, at, end));
      at = end;
    }
    return frames;
  }
}
