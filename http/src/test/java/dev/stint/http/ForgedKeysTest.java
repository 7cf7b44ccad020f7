package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that has one valid credential and sends it in every way: beside others, before or behind
 * them, in several lines, with names in other letters. An application may take the first, the last
 * or any that is valid, so every request here may be served; but it must be counted by that
 * credential, or as one without a key.
 *
 * <p>{@code -Dstint.seed=n} says where to begin; a failure names its seed.
 */
class ForgedKeysTest {

  private static final int CASES = 20_000;
  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());
  private static final int LIMIT = 5;
  private static final String VALID = "v4l1d";

  /** Netty skips commas in front of a name; old cookies end with them. */
  private static final List<String> COOKIE_SEPARATORS = List.of(";", "; ", ";,", "; , ;\t", ", ");

  private final Random random = new Random(SEED);

  private enum Carrier {
    HEADER("header:X-Api-Key"),
    BEARER("bearer"),
    COOKIE("cookie:session"),
    PARAMETER("query:key");

    private final String words;

    Carrier(String words) {
      this.words = words;
    }
  }

  /** The credential among up to three others, at any place. */
  private List<String> values() {
    List<String> values = new ArrayList<>(List.of(VALID));
    for (int i = random.nextInt(4); i > 0; i--) {
      values.add(
          switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> VALID;
            default -> "junk" + random.nextInt(1_000_000);
          });
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

  private FakeRequest request(Carrier carrier) {
    FakeRequest request = FakeRequest.get("/");
    switch (carrier) {
      case HEADER -> values().forEach(value -> request.header(recased("X-Api-Key"), value));
      case BEARER ->
          values()
              .forEach(
                  value ->
                      request.header(recased("Authorization"), recased("Bearer") + " " + value));
      case COOKIE -> cookies(request);
      case PARAMETER -> parameters(request);
    }
    return request;
  }

  /** In one line or in several, as HTTP/2 has them, among cookies of other names. */
  private void cookies(FakeRequest request) {
    StringBuilder line = new StringBuilder("a=b");
    for (String value : values()) {
      if (random.nextInt(3) == 0) {
        request.header("Cookie", line.toString());
        line.setLength(0);
        line.append("Session=other");
      }
      line.append(COOKIE_SEPARATORS.get(random.nextInt(COOKIE_SEPARATORS.size())));
      line.append("session=").append(cookieValue(value));
    }
    request.header("Cookie", line.toString());
  }

  private String cookieValue(String value) {
    return switch (random.nextInt(6)) {
      case 0 -> '"' + value + '"';
      case 1 -> '"' + value.replace("4", "\\4") + '"';
      default -> value;
    };
  }

  private void parameters(FakeRequest request) {
    StringBuilder query = new StringBuilder("a=b");
    for (String value : values()) {
      query.append(random.nextInt(3) == 0 ? "&Key=other&" : "&");
      query.append("=".repeat(random.nextInt(3))); // Spring skips these in WebFlux
      query.append(random.nextBoolean() ? "key=" : "k%65y=").append(value);
    }
    request.query(query.toString());
  }

  @ParameterizedTest
  @EnumSource
  void one_credential_has_one_budget_however_it_is_sent(Carrier carrier) {
    for (String words :
        List.of(
            carrier.words, carrier.words + " | address", carrier.words + " + address", "tenant")) {
      for (MissingKey missing : MissingKey.values()) {
        HttpLimiter limiter =
            HttpLimiter.builder(MemoryStore.builder().time(ManualTime.create()).build())
                .tenant(KeySource.parse(carrier.words))
                .rule(
                    Rule.of("api", LIMIT + "/day fixed-window")
                        .by(KeySource.parse(words))
                        .missingKey(missing))
                .build();
        int passed = 0;
        for (int i = 0; i < CASES / 12; i++) {
          passed += limiter.decide(request(carrier)).allowed() ? 1 : 0;
        }
        // Its own, and the one that requests without a key share.
        assertThat(passed)
            .as("by %s, missing key %s, seed %d", words, missing, SEED)
            .isLessThanOrEqualTo(2 * LIMIT);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void repeating_a_key_neither_joins_the_allowed_nor_leaves_the_blocked(Carrier carrier) {
    String kind = KeySource.parse(carrier.words).toString();
    HttpLimiter allowing =
        HttpLimiter.builder(MemoryStore.builder().time(ManualTime.create()).build())
            .rule(Rule.of("api", LIMIT + "/day fixed-window").by(KeySource.parse(carrier.words)))
            .allowKeys(List.of(kind + ":friend"))
            .build();
    HttpLimiter blocking =
        HttpLimiter.builder(MemoryStore.create())
            .rule(Rule.of("api", "1000000/day"))
            .blockKeys(List.of(kind + ":" + VALID))
            .build();
    int passed = 0;
    for (int i = 0; i < CASES / 10; i++) {
      assertThat(blocking.decide(request(carrier)).allowed()).as("seed %d", SEED).isFalse();
      FakeRequest request = request(carrier);
      switch (carrier) {
        case HEADER -> request.header("X-Api-Key", "friend");
        case BEARER -> request.header("Authorization", "Bearer friend");
        case COOKIE -> request.header("Cookie", "session=friend");
        case PARAMETER -> request.query(request.query() + "&key=friend");
      }
      passed += allowing.decide(request).allowed() ? 1 : 0;
    }
    assertThat(passed).as("seed %d", SEED).isLessThanOrEqualTo(LIMIT);
  }
}
