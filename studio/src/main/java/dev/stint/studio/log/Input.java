package dev.stint.studio.log;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of a log, unpacked.
 *
 * <p>How they are packed is seen from the first of them and not from the file's name: logs are
 * renamed, and standard input has none.
 */
final class Input implements AutoCloseable {

  /** What standard input is called. */
  static final String STANDARD = "-";

  private static final int ROOM = 1 << 16;
  private static final int MAGIC = 6;

  /** Others that are met, which we cannot unpack: how they begin, and what does it. */
  private static final Map<String, String> FOREIGN =
      Map.of(
          "425a68", "bzip2 -dc",
          "fd377a585a00", "xz -dc",
          "504b0304", "unzip -p",
          "04224d18", "lz4 -dc");

  private final String name;
  private final long size;
  private final Counted counted;
  private final InputStream unpacked;
  private final String packing;

  private Input(String name, long size, InputStream raw) throws IOException, Unreadable {
    this.name = name;
    this.size = size;
    this.counted = new Counted(raw);
    PushbackInputStream begun = new PushbackInputStream(counted, MAGIC);
    byte[] first = begun.readNBytes(MAGIC);
    begun.unread(first);
    String magic = java.util.HexFormat.of().formatHex(first);
    for (Map.Entry<String, String> foreign : FOREIGN.entrySet()) {
      if (magic.startsWith(foreign.getKey())) {
        throw new Unreadable(
            "a log must be plain, gz or zstd: %s is packed otherwise; unpack it on the way: %s FILE | stint ... -"
                .formatted(name, foreign.getValue()));
      }
    }
    if (magic.startsWith("1f8b")) {
      packing = "gz";
      unpacked = new GZIPInputStream(new AlwaysMore(begun), ROOM);
    } else if (magic.startsWith("28b52ffd") || magic.matches("5.2a4d18.*")) {
      packing = "zstd";
      unpacked = new ZstdInputStream(new BufferedInputStream(begun, ROOM));
    } else {
      packing = "";
      unpacked = begun;
    }
  }

  /**
   * Opens a file, or standard input.
   *
   * @throws Unreadable if that cannot be done, or it is packed in a way that we do not know
   */
  static Input open(String file, InputStream standardInput) throws Unreadable {
    String name = called(file);
    try {
      if (file.equals(STANDARD)) {
        return new Input(name, 0, standardInput);
      }
      Path path = Path.of(file);
      if (Files.isDirectory(path)) {
        throw new Unreadable(
            "a log must be a file: %s is a directory; name a file in it".formatted(name));
      }
      InputStream raw = Files.newInputStream(path);
      try {
        return new Input(name, Files.size(path), raw);
      } catch (IOException | Unreadable | RuntimeException e) {
        raw.close();
        throw e;
      }
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new Unreadable(
          "a log must be there: there is no file %s; check its name, or give - for standard input"
              .formatted(name));
    } catch (AccessDeniedException e) {
      throw new Unreadable(
          "a log must be readable: %s may not be read by this user; change its permissions, or send it to standard input"
              .formatted(name));
    } catch (IOException e) {
      throw broken(name, "at its beginning", e);
    }
  }

  /** The copy of what could be read only once. */
  static Input ofCopy(String file, InputStream copy) throws Unreadable {
    try {
      return new Input(called(file), 0, copy);
    } catch (IOException e) {
      throw broken(called(file), "at its beginning", e);
    }
  }

  private static String called(String file) {
    return file.equals(STANDARD) ? "standard input" : "'" + Clients.shown(file, 200) + "'";
  }

  /** What is said when reading fails on the way. */
  Unreadable broken(long lines, IOException cause) {
    return broken(name, lines == 1 ? "after 1 line" : "after %,d lines".formatted(lines), cause);
  }

  private static Unreadable broken(String name, String where, IOException cause) {
    return new Unreadable(
        "a log must be whole: %s breaks off %s (%s); fetch or pack it again"
            .formatted(name, where, Clients.shown(String.valueOf(cause.getMessage()), 120)));
  }

  /** What it is called in a sentence. */
  String name() {
    return name;
  }

  /** How it is packed: {@code gz}, {@code zstd}, or empty. */
  String packing() {
    return packing;
  }

  InputStream stream() {
    return unpacked;
  }

  /** How much of it was read, from 0 to 1; below 0 if nobody knows how long it is. */
  double share() {
    return size == 0 ? -1 : Math.min(1, (double) counted.count.get() / size);
  }

  @Override
  public void close() {
    try {
      unpacked.close();
    } catch (IOException e) {
      // What was read was read; nobody is helped by hearing of it.
    }
  }

  /** Counts what is read. */
  private static final class Counted extends FilterInputStream {

    private final AtomicLong count = new AtomicLong();

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      long unused = count.addAndGet(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
      int read = super.read(b, off, len);
      long unused = count.addAndGet(Math.max(0, read));
      return read;
    }
  }

  /**
   * Says that there is more until there is not: a gz file may be several one after another, and
   * Java takes a stream of which nothing is there at the moment for one that has ended.
   */
  private static final class AlwaysMore extends FilterInputStream {

    AlwaysMore(InputStream in) {
      super(in);
    }

    @Override
    public int available() {
      return 1;
    }
  }
}
