package dev.stint.server.serve;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Looks at files and tells when a change is complete: when two looks in a row saw the same. A file
 * that grows or is written in pieces looks different each time.
 *
 * <p>Used by one thread. The first look finds everything changed, because a file may have been
 * written between the moment when it was read at the start and that look.
 */
final class FileWatch {

  /** What a look has found. */
  enum Finding {
    /** Nothing has changed since the last {@link #SETTLED}. */
    UNCHANGED,
    /** Something is different from the look before; it may still be written. */
    CHANGING,
    /** There was a change, and it was the same at this look as at the one before. */
    SETTLED
  }

  private Set<Path> files;
  private FileMarks last = FileMarks.none();
  private boolean pending;

  FileWatch(Collection<Path> files) {
    this.files = new LinkedHashSet<>(files);
  }

  Finding look() {
    if (hasChanged()) {
      return Finding.CHANGING;
    }
    boolean settled = pending;
    pending = false;
    return settled ? Finding.SETTLED : Finding.UNCHANGED;
  }

  /**
   * Whether something is different from the last look. If so, this counts as a look, so that the
   * change is told as settled by the next one at the earliest.
   */
  boolean hasChanged() {
    FileMarks now = FileMarks.of(files, last);
    if (now.isSameAs(last)) {
      return false;
    }
    last = now;
    pending = true;
    return true;
  }

  /** Watches these files too. One that is new has to be seen twice as well. */
  void add(Collection<Path> more) {
    if (files.addAll(more)) {
      hasChanged();
    }
  }

  /** Watches only these files, all of which were looked at. */
  void retain(Collection<Path> only) {
    files = new LinkedHashSet<>(only);
    last = last.only(files);
  }
}
