package dev.stint.server.admin;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects what is written in pieces of bounded size, so that no large array is ever copied. */
final class PieceStream extends OutputStream {

  private static final int PIECE = 32 << 10;

  private final List<Buffer> pieces = new ArrayList<>();
  private byte[] piece = new byte[PIECE];
  private int filled;
  private long length;

  @Override
  public void write(int one) {
    if (filled == PIECE) {
      next();
    }
    piece[filled++] = (byte) one;
    length++;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    int from = offset;
    int left = count;
    while (left > 0) {
      if (filled == PIECE) {
        next();
      }
      int some = Math.min(left, PIECE - filled);
      System.arraycopy(bytes, from, piece, filled, some);
      filled += some;
      from += some;
      left -= some;
    }
    length += count;
  }

  private void next() {
    pieces.add(buffer(piece));
    piece = new byte[PIECE];
    filled = 0;
  }

  /** Several responses may send the same piece: it must not be changed, nor released. */
  private static Buffer buffer(byte[] bytes) {
    return BufferInternal.buffer(Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(bytes)));
  }

  /** All pieces; nothing may be written afterwards. */
  List<Buffer> pieces() {
    if (filled > 0) {
      pieces.add(buffer(Arrays.copyOf(piece, filled)));
      filled = 0;
    }
    return pieces;
  }

  long length() {
    return length;
  }
}
