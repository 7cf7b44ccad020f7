package dev.stint.server.rls.tree;

import java.util.ArrayList;
import java.util.List;

/** A value with {@code *} in it, which stands for any run of characters, also for none. */
final class Wildcard {

  private final String head;
  private final String[] middle;
  private final String tail;

  /** A pattern with at least one star. */
  Wildcard(String pattern) {
    int first = pattern.indexOf('*');
    int last = pattern.lastIndexOf('*');
    this.head = pattern.substring(0, first);
    this.tail = pattern.substring(last + 1);
    List<String> parts = new ArrayList<>();
    for (int star = first; star < last; ) {
      int next = pattern.indexOf('*', star + 1);
      if (next > star + 1) {
        parts.add(pattern.substring(star + 1, next));
      }
      star = next;
    }
    this.middle = parts.toArray(new String[0]);
  }

  static boolean isOne(String value) {
    return value.indexOf('*') >= 0;
  }

  /**
   * Whether {@code value} fits. The first place where a part is found is as good as any later one,
   * so it never has to try twice, and no pattern makes it slow.
   */
  boolean matches(String value) {
    int end = value.length() - tail.length();
    if (end < head.length() || !value.startsWith(head) || !value.endsWith(tail)) {
      return false;
    }
    int from = head.length();
    for (String part : middle) {
      int found = value.indexOf(part, from);
      if (found < 0 || found + part.length() > end) {
        return false;
      }
      from = found + part.length();
    }
    return true;
  }
}
