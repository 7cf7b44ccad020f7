package dev.stint.server.serve;

import dev.stint.server.config.ConfigFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What files look like at a moment, so that a later look tells whether they changed.
 *
 * <p>The real path is part of it, because of a ConfigMap only a link changes. So are the contents,
 * because two writes may leave the same time and size. A file that has looked the same for a while
 * is not read again.
 */
final class FileMarks {

  /**
   * File systems tell times to two seconds at worst: a write that comes later than that after
   * another one has another time. Measured by this process, whose clock may differ from the file
   * system's.
   */
  private static final long RESTED = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST = 2 << 20;

  private final Map<Path, Mark> marks;

  /**
   * What is compared.
   *
   * @param file what the file system knows the file by: another one after a rename
   */
  private record Look(String realPath, String file, FileTime time, long size) {}

  private record Mark(Look look, String contents, long firstSeen) {

    boolean hasRested() {
      return System.nanoTime() - firstSeen > RESTED;
    }

    boolean isSameAs(@Nullable Mark other) {
      return other != null && look.equals(other.look) && contents.equals(other.contents);
    }
  }

  private FileMarks(Map<Path, Mark> marks) {
    this.marks = marks;
  }

  static FileMarks none() {
    return new FileMarks(Map.of());
  }

  /** The marks of these files, whether they exist or not; {@code before} saves reading. */
  static FileMarks of(Collection<Path> paths, FileMarks before) {
    Map<Path, Mark> marks = new HashMap<>();
    for (Path path : paths) {
      Mark old = before.marks.get(path);
      Mark now = mark(path, old);
      marks.put(path, old != null && old.isSameAs(now) ? old : now);
    }
    return new FileMarks(marks);
  }

  /** Those of these files, as they were. */
  FileMarks only(Collection<Path> paths) {
    Map<Path, Mark> some = new HashMap<>(marks);
    some.keySet().retainAll(paths);
    return new FileMarks(some);
  }

  private static Mark mark(Path path, @Nullable Mark before) {
    long seen = System.nanoTime();
    try {
      String realPath = path.toRealPath().toString();
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      if (now.isDirectory()) {
        String names = ConfigFile.filesIn(path).toString();
        return new Mark(new Look(realPath, "", FileTime.fromMillis(0), 0), names, seen);
      }
      Look look =
          new Look(realPath, String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size());
      if (!now.isRegularFile()) { // to open a pipe may block for ever
        return new Mark(look, "", seen);
      }
      return before != null && before.look.equals(look) && before.hasRested()
          ? before
          : new Mark(look, digest(path), seen);
    } catch (IOException e) {
      return new Mark(
          new Look("", "", FileTime.fromMillis(0), -1), String.valueOf(e.getClass()), seen);
    }
  }

  private static String digest(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(in.readNBytes(MOST)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Whether all these files looked then as in {@code other}, and no other file is in either. */
  boolean isSameAs(FileMarks other) {
    return marks.keySet().equals(other.marks.keySet())
        && marks.entrySet().stream()
            .allMatch(mark -> mark.getValue().isSameAs(other.marks.get(mark.getKey())));
  }
}
