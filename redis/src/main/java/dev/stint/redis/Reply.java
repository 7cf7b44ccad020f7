package dev.stint.redis;

import dev.stint.StoreException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A script's reply: numbers in a row of bytes, the highest byte first; see main.lua. */
final class Reply extends CommandOutput<byte[], byte[], Reply> {

  private byte[] bytes = {};
  private int position;

  Reply() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public Reply get() {
    return this;
  }

  @Override
  public void set(ByteBuffer received) {
    if (received != null) {
      bytes = new byte[received.remaining()];
      received.get(bytes);
    }
  }

  /** Something else than was asked for: it is dropped, and the reply found to be too short. */
  @Override
  public void set(long number) {}

  /** The next number, of so many bytes. */
  long next(int width) {
    if (position + width > bytes.length) {
      throw tooShort();
    }
    long number = 0;
    for (int i = 0; i < width; i++) {
      number = number << 8 | (bytes[position++] & 0xff);
    }
    return number;
  }

  private StoreException tooShort() {
    return new StoreException("the reply of Redis is too short: " + bytes.length + " bytes");
  }

  /** The next piece of text, which follows its length. */
  String text() {
    int length = (int) next(2);
    if (position + length > bytes.length) {
      throw tooShort();
    }
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }
}
