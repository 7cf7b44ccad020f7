package dev.stint.benchmarks.server;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.Function;

/** The requests for many keys as bytes, written beforehand and shuffled. */
final class Requests {

  private final byte[][] all;

  private Requests(byte[][] all) {
    this.all = all;
  }

  /** Requests for so many keys. */
  static Requests of(int keys, Function<String, byte[]> request) {
    byte[][] all = new byte[keys][];
    for (int i = 0; i < keys; i++) {
      all[i] = request.apply("user:" + i);
    }
    SplittableRandom random = new SplittableRandom(42);
    for (int i = keys - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      byte[] one = all[i];
      all[i] = all[other];
      all[other] = one;
    }
    return new Requests(all);
  }

  /** A command in Redis' protocol for each key; the word {@code KEY} stands for the key. */
  static Requests command(int keys, String... words) {
    return of(keys, key -> command(key, words));
  }

  static byte[] command(String key, String... words) {
    StringBuilder text = new StringBuilder("*").append(words.length).append("\r\n");
    for (String word : words) {
      String part = word.equals("KEY") ? key : word;
      text.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** A hit over HTTP for each key. */
  static Requests http(int keys) {
    return of(
        keys,
        key -> {
          String body = "{\"policy\":\"api\",\"key\":\"" + key + "\"}";
          String text =
              "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + ("Content-Length: " + body.length() + "\r\n\r\n" + body);
          return text.getBytes(StandardCharsets.US_ASCII);
        });
  }

  int size() {
    return all.length;
  }

  /** Goes through all of them again and again, beginning here. */
  Turn from(int start) {
    return new Turn(all, start % all.length);
  }

  /** One's way through the requests. */
  static final class Turn {

    private final byte[][] all;
    private int next;

    private Turn(byte[][] all, int next) {
      this.all = all;
      this.next = next;
    }

    byte[] next() {
      byte[] request = all[next];
      next = next + 1 == all.length ? 0 : next + 1;
      return request;
    }
  }
}
