package dev.stint.memory;

/**
 * A row that one caller has to itself. The only way to hold a row and to release it.
 *
 * <p>Between {@link #take} and {@link #release} anything may be thrown, a {@link
 * StackOverflowError} or {@link OutOfMemoryError} included; a row that stays held would block its
 * key for ever. So every holder releases in a {@code finally} block, where the row gets {@link
 * #word}: the old one until the holder has written a new state. Releasing twice does no harm.
 */
class RowHold {

  // The row is recorded before it is held, so that it can be released whatever happens next.
  Segment segment;
  int row;

  /** The first word to release the row with. */
  long word;

  private boolean held;

  RowHold() {
    this(Segment.NONE);
  }

  RowHold(Segment segment) {
    this.segment = segment;
  }

  /** Takes hold of a row, if its first word still is {@code word}. */
  final boolean take(Segment segment, int row, long word) {
    if (this.segment != segment) { // see Seat.ask
      this.segment = segment;
    }
    this.row = row;
    this.word = word;
    held = segment.swap(row, word, Packing.HELD);
    return held;
  }

  final boolean isHeld() {
    return held;
  }

  /** Releases the row, if it is held; this publishes the second word and the box as well. */
  final void release() {
    if (held) {
      segment.publish(row, word);
      held = false;
    }
  }
}
