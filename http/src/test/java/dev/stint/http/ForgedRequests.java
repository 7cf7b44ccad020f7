package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Sends one valid credential in every way, over sockets: among others, in several lines, with names
 * in other letters. A server that is asked like this must count it by that credential, or as a
 * request without a key.
 */
public final class ForgedRequests {

  private static final int LIMIT = 5;
  private static final int EACH = 60;
  private static final String VALID = "v4l1d";
  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());

  /** What rules count by: the words, each under a path of its own. */
  private static final List<String> WORDS =
      List.of("header:X-Api-Key", "bearer | address", "cookie:session", "query:key");

  private final Random random = new Random(SEED);

  private ForgedRequests() {}

  /** The rules, one for each of {@code /0} to {@code /3}. */
  public static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < WORDS.size(); i++) {
      rules.add(
          Rule.of("forged" + i, LIMIT + "/day fixed-window")
              .on("/" + i)
              .by(KeySource.parse(WORDS.get(i)))
              .missingKey(i % 2 == 0 ? MissingKey.SKIP : MissingKey.SHARED));
    }
    return rules;
  }

  /** Asserts that one credential has its own budget, and at most that of requests without a key. */
  public static void assertCounted(int port) throws IOException {
    ForgedRequests forged = new ForgedRequests();
    for (int i = 0; i < WORDS.size(); i++) {
      int passed = 0;
      for (int n = 0; n < EACH; n++) {
        String response = PathTable.send(port, forged.request(i));
        passed += response.startsWith("HTTP/1.1 429") ? 0 : 1;
      }
      assertThat(passed).as("by %s, seed %d", WORDS.get(i), SEED).isBetween(1, 2 * LIMIT);
    }
  }

  private String request(int which) {
    List<String> values = values();
    StringBuilder lines = new StringBuilder();
    String query = "";
    switch (which) {
      case 0 -> values.forEach(value -> line(lines, "X-Api-Key", value));
      case 1 -> values.forEach(value -> line(lines, "Authorization", recased("Bearer ") + value));
      case 2 -> cookies(lines, values);
      default -> query = "?" + String.join("&", values.stream().map(this::parameter).toList());
    }
    return "GET /"
        + which
        + query
        + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        + lines
        + "\r\n";
  }

  private void line(StringBuilder lines, String name, String value) {
    lines.append(recased(name)).append(": ").append(value).append("\r\n");
  }

  private void cookies(StringBuilder lines, List<String> values) {
    StringBuilder line = new StringBuilder("a=b");
    for (String value : values) {
      line.append(random.nextBoolean() ? "; session=" : ";,session=").append(value);
      if (random.nextBoolean()) {
        line(lines, "Cookie", line.toString());
        line = new StringBuilder("Session=other");
      }
    }
    line(lines, "Cookie", line.toString());
  }

  private String parameter(String value) {
    String equals = "=".repeat(random.nextInt(3)); // Spring skips these in WebFlux
    return equals + (random.nextBoolean() ? "key=" : "k%65y=") + value;
  }

  /** The credential among up to three others, at any place. */
  private List<String> values() {
    List<String> values = new ArrayList<>(List.of(VALID));
    for (int i = random.nextInt(4); i > 0; i--) {
      values.add(random.nextInt(4) == 0 ? VALID : "junk" + random.nextInt(1_000_000));
    }
    Collections.shuffle(values, random);
    return values;
  }

  private String recased(String name) {
    StringBuilder other = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      other.append(random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c));
    }
    return other.toString();
  }
}
