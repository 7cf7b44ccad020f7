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
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What files look like at a moment, so that a later look tells whether they changed.
 *
 * <p>The real path is part of it: of a ConfigMap only a link changes. So are the contents: two
 * writes may have the same time and size. A file that has rested for a while is not read again.
 */
final class FileMarks {

  /** File systems tell times to two seconds at worst. */
  private static final Duration RESTED = Duration.ofSeconds(5);

  private static final int MOST = 2 << 20;

  private final Map<Path, Mark> marks;

  private record Mark(String realPath, FileTime time, long size, String contents) {
    boolean looksLike(String otherPath, BasicFileAttributes other) {
      return realPath.equals(otherPath)
          && time.equals(other.lastModifiedTime())
          && size == other.size()
          && time.toInstant().isBefore(Instant.now().minus(RESTED));
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
      marks.put(path, mark(path, before.marks.get(path)));
    }
    return new FileMarks(marks);
  }

  private static Mark mark(Path path, @Nullable Mark before) {
    try {
      String realPath = path.toRealPath().toString();
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      if (now.isDirectory()) {
        String names = ConfigFile.filesIn(path).toString();
        return new Mark(realPath, FileTime.fromMillis(0), 0, names);
      }
      if (!now.isRegularFile()) { // who opens a pipe may wait for ever
        return new Mark(realPath, now.lastModifiedTime(), 0, "");
      }
      return before != null && before.looksLike(realPath, now)
          ? before
          : new Mark(realPath, now.lastModifiedTime(), now.size(), digest(path));
    } catch (IOException e) {
      return new Mark("", FileTime.fromMillis(0), -1, String.valueOf(e.getClass()));
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

  boolean isSameAs(FileMarks other) {
    return marks.equals(other.marks);
  }
}
