package dev.stint.studio.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives clients numbers, from 0 on in the order in which they appear, and knows their names.
 *
 * <p>A name is a length and its bytes in one of a list of chunks; a table of open addressing leads
 * to it. A client takes its name and 20 bytes or so. The hash has a secret, drawn for each run, so
 * that nobody can choose names that meet in one place; no number depends on it.
 */
final class Clients {

  /** The longest name. */
  static final int LONGEST = 1 << 15;

  /** Longer names are cut off when they are shown. */
  private static final int SHOWN = 200;

  private static final int CHUNK_BITS = 20;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final long secret0;
  private final long secret1;
  private final List<byte[]> chunks = new ArrayList<>(List.of(new byte[CHUNK]));
  private byte[][] chunkOf = {chunks.get(0)};
  private int used;
  private int[] table = new int[1 << 12]; // number + 1; 0 for nobody
  private int[] hashes = new int[1 << 10];
  private int[] places = new int[1 << 10];
  private int size;

  Clients() {
    SecureRandom random = new SecureRandom();
    secret0 = random.nextLong() | 1;
    secret1 = random.nextLong() | 1;
  }

  int size() {
    return size;
  }

  /** The number of the client with this name, which is at most {@link #LONGEST} bytes long. */
  int numberOf(byte[] b, int from, int to) {
    int hash = hash(b, from, to);
    int mask = table.length - 1;
    int slot = hash & mask;
    while (table[slot] != 0) {
      int number = table[slot] - 1;
      if (hashes[number] == hash && isName(number, b, from, to)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = size + 1;
    add(hash, b, from, to);
    return size - 1;
  }

  private void add(int hash, byte[] b, int from, int to) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2);
      places = Arrays.copyOf(places, size * 2);
    }
    int length = to - from;
    if (used + length + 2 > CHUNK) {
      if (chunks.size() == 1 << (31 - CHUNK_BITS)) {
        throw new IllegalStateException("the names of all clients must fit 2 GiB");
      }
      chunks.add(new byte[CHUNK]);
      chunkOf = chunks.toArray(byte[][]::new);
      used = 0;
    }
    byte[] chunk = chunks.get(chunks.size() - 1);
    SHORTS.set(chunk, used, (short) length);
    System.arraycopy(b, from, chunk, used + 2, length);
    hashes[size] = hash;
    places[size] = (chunks.size() - 1) << CHUNK_BITS | used;
    used += length + 2;
    size++;
    if (size * 2L > table.length) {
      grow();
    }
  }

  private void grow() {
    int[] wider = new int[table.length * 2];
    int mask = wider.length - 1;
    for (int number = 0; number < size; number++) {
      int slot = hashes[number] & mask;
      while (wider[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      wider[slot] = number + 1;
    }
    table = wider;
  }

  private boolean isName(int number, byte[] b, int from, int to) {
    int place = places[number];
    byte[] chunk = chunkOf[place >>> CHUNK_BITS];
    int at = place & (CHUNK - 1);
    int length = (short) SHORTS.get(chunk, at) & 0xffff;
    return length == to - from && Arrays.equals(chunk, at + 2, at + 2 + length, b, from, to);
  }

  private int hash(byte[] b, int from, int to) {
    long hash = secret0 ^ (to - from);
    int i = from;
    for (; i + 8 <= to; i += 8) {
      hash = fold(hash ^ (long) LONGS.get(b, i), secret1);
    }
    long rest = 0;
    for (; i < to; i++) {
      rest = rest << 8 | (b[i] & 0xff);
    }
    hash = fold(hash ^ rest, secret1);
    hash = fold(hash, secret0);
    return (int) (hash ^ hash >>> 32);
  }

  private static long fold(long a, long b) {
    return Math.multiplyHigh(a, b) ^ a * b;
  }

  /** The name as it may be shown: no control characters, and not too long. */
  String nameOf(int number) {
    int place = places[number];
    byte[] chunk = chunkOf[place >>> CHUNK_BITS];
    int at = place & (CHUNK - 1);
    int length = (short) SHORTS.get(chunk, at) & 0xffff;
    return shown(new String(chunk, at + 2, length, StandardCharsets.UTF_8), SHOWN);
  }

  /** Text that somebody else wrote, for a terminal: it must not move the cursor, nor be endless. */
  static String shown(String text, int most) {
    StringBuilder shown = new StringBuilder();
    int[] points = text.codePoints().limit(most + 1L).toArray();
    for (int i = 0; i < Math.min(points.length, most); i++) {
      int point = points[i];
      if (point == Entry.BETWEEN) {
        shown.append(' ');
      } else if (isPlain(point)) {
        shown.appendCodePoint(point);
      } else {
        shown.append(String.format("\\u%04x", point));
      }
    }
    return points.length > most ? shown.append("...").toString() : shown.toString();
  }

  private static boolean isPlain(int point) {
    int type = Character.getType(point);
    return type != Character.CONTROL
        && type != Character.FORMAT
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.SURROGATE
        && type != Character.UNASSIGNED
        && type != Character.PRIVATE_USE;
  }
}
