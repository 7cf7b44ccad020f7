package dev.stint.server.attack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Messages of Envoy's rate limit service, made by hand. */
final class Protobuf {

  private Protobuf() {}

  /** A request of this domain. */
  static byte[] request(String domain, byte[]... descriptors) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    field(out, 1, domain.getBytes(StandardCharsets.UTF_8));
    for (byte[] descriptor : descriptors) {
      field(out, 2, descriptor);
    }
    return out.toByteArray();
  }

  /** A descriptor of these keys and values in turn. */
  static byte[] descriptor(String... keysAndValues) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      ByteArrayOutputStream entry = new ByteArrayOutputStream();
      field(entry, 1, keysAndValues[i].getBytes(StandardCharsets.UTF_8));
      field(entry, 2, keysAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
      field(out, 1, entry.toByteArray());
    }
    return out.toByteArray();
  }

  static void field(ByteArrayOutputStream out, int number, byte[] value) {
    out.write(number << 3 | 2);
    int length = value.length;
    for (; length >= 128; length >>>= 7) {
      out.write((length & 127) | 128);
    }
    out.write(length);
    out.writeBytes(value);
  }
}
