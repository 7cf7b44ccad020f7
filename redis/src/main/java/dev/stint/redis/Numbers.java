package dev.stint.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A script's reply: a flat list of numbers, with here and there an error in a number's place. */
final class Numbers extends CommandOutput<byte[], byte[], Numbers> {

  private long[] numbers = new long[8];
  private @Nullable String @Nullable [] errors;
  private int size;

  Numbers() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public Numbers get() {
    return this;
  }

  @Override
  public void multi(int count) {
    if (count > numbers.length) {
      numbers = Arrays.copyOf(numbers, count);
    }
  }

  @Override
  public void set(long number) {
    numbers[size++] = number;
  }

  @Override
  public void set(ByteBuffer bytes) {
    String @Nullable [] known = errors;
    if (known == null) {
      known = new String[numbers.length];
      errors = known;
    }
    known[size++] = bytes == null ? "nil" : StandardCharsets.UTF_8.decode(bytes).toString();
  }

  /** Some of the numbers, where there is no {@linkplain #error error}. */
  long[] values(int from, int to) {
    return Arrays.copyOfRange(numbers, from, to);
  }

  int size() {
    return size;
  }

  /** The error in this place, or null. */
  @Nullable String error(int i) {
    return errors == null ? null : errors[i];
  }
}
