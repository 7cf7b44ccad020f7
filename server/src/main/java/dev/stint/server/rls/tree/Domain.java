package dev.stint.server.rls.tree;

import dev.stint.Limit;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.server.config.RlsSettings;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one domain. */
public final class Domain {

  private final String name;
  private final byte[] utf8;
  private final boolean countsDenied;
  private final Level top;

  /** The rules of these nodes, whose limits are added to {@code limits}. */
  Domain(
      String name, List<RlsSettings.Node> nodes, boolean countsDenied, Collection<Limit> limits) {
    this.name = name;
    this.utf8 = name.getBytes(StandardCharsets.UTF_8);
    this.countsDenied = countsDenied;
    this.top = new Level(name, "", nodes, limits);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Whether a limit that comes with a request counts refused requests. */
  boolean countsDenied() {
    return countsDenied;
  }

  /**
   * The rule for a descriptor; null if there is none.
   *
   * <p>One way down, never back: what an entry has chosen stays chosen, also if it leads nowhere.
   * Only the rule at the last entry counts.
   */
  public @Nullable RlsRule find(RateLimitDescriptor descriptor) {
    Level level = top;
    RlsRule rule = null;
    for (int i = 0; i < descriptor.getEntriesCount(); i++) {
      Level.Node node = level.find(descriptor.getEntries(i));
      if (node == null) {
        return null;
      }
      rule = node.rule();
      level = node.below();
    }
    return rule;
  }

  /**
   * What a descriptor is counted under: its domain and entries, each with its length before it, so
   * that no two descriptors have the same.
   */
  public byte[] key(RateLimitDescriptor descriptor) {
    int entries = descriptor.getEntriesCount();
    byte[][] parts = new byte[2 * entries + 1][];
    parts[0] = utf8;
    for (int i = 0; i < entries; i++) {
      RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
      parts[2 * i + 1] = entry.getKey().getBytes(StandardCharsets.UTF_8);
      parts[2 * i + 2] = entry.getValue().getBytes(StandardCharsets.UTF_8);
    }
    int length = 0;
    for (byte[] part : parts) {
      length += lengthOfLength(part.length) + part.length;
    }
    byte[] key = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      at = writeLength(part.length, key, at);
      System.arraycopy(part, 0, key, at, part.length);
      at += part.length;
    }
    return key;
  }

  private static int lengthOfLength(int length) {
    return length < 128 ? 1 : 1 + lengthOfLength(length >>> 7);
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  private static int writeLength(int length, byte[] key, int at) {
    int rest = length;
    int next = at;
    while (rest >= 128) {
      key[next++] = (byte) (rest | 128);
      rest >>>= 7;
    }
    key[next++] = (byte) rest;
    return next;
  }
}
