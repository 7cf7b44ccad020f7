package dev.stint.memory;

/**
 * What happens to a key that is first seen while the store is full of keys still in use.
 *
 * <p>A new key of a quota is denied then, whatever is chosen here: its charge must never be lost.
 */
public enum Overflow {
  /**
   * It shares one of a few thousand cells with other such keys, under the same limit. Nothing is
   * denied merely because the store is full, and a flood of new keys is still limited. The default.
   */
  SHARE,
  /**
   * It is denied. For when an unknown caller must never pass uncounted or be mistaken for another.
   */
  DENY,
  /** It is admitted uncounted. For when refusing a stranger costs more than a flood does. */
  ALLOW
}
