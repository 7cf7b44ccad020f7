package dev.stint.studio.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever stands in a line: it is understood or it is bad, and nothing is thrown. */
class MutationTest {

  private static final int MUTATIONS = 10_000;
  private static final byte[] NASTY = "\"\\[]{}:, -?/;\0\u001b0".getBytes(StandardCharsets.UTF_8);

  private static String sample(Format format) {
    return switch (format) {
      case COMBINED, COMMON ->
          "192.0.2.7 - ada [10/Oct/2020:13:55:36 -0700] \"GET /a?b=1 HTTP/1.1\" 200 23 \"-\" \"x\"";
      case NGINX_JSON ->
          "{\"time_iso8601\":\"2026-01-02T05:04:05+02:00\",\"ip\":\"192.0.2.7\",\"path\":\"/a\"}";
      case ENVOY_JSON ->
          "{\"start_time\":\"2026-01-02T05:04:05.123Z\",\"ip\":\"[::1]:80\",\"path\":\"http://a/b\"}";
      case NDJSON ->
          "{\"ts\":1767323045.25,\"ip\":\"192.0.2.7\",\"path\":{\"a\":[1]},\"uri\":\"/\"}";
      case ALB ->
          "h2 2026-01-02T03:04:05Z app/a/1 192.0.2.7:48 - -1 -1 -1 502 - 0 57 \"GET https://a:443/b"
              + " HTTP/2.0\" \"curl\" - -";
      case CSV -> "1767323045,\"192.0.2.7\",\"/a\"\"b\",3";
    };
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void no_mutation_of_a_line_throws(Format format) {
    byte[] line = sample(format).getBytes(StandardCharsets.UTF_8);
    List<String> first = format == Format.CSV ? List.of("time,ip,path,n") : List.of(sample(format));
    LineFormat reader = format.reader(new Wanted(null, List.of("ip", "path"), null), first);
    Entry entry = new Entry(2);
    SplittableRandom random = new SplittableRandom(42);
    int understood = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutated = mutate(line, random);
      entry.begin();
      understood += reader.read(mutated, 0, mutated.length, entry) == null ? 1 : 0;
    }
    assertThat(understood).isBetween(1, MUTATIONS - 1);
  }

  private static byte[] mutate(byte[] line, SplittableRandom random) {
    byte[] mutated = line.clone();
    for (int n = 1 + random.nextInt(3); n > 0 && mutated.length > 1; n--) {
      int at = random.nextInt(mutated.length);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = (byte) random.nextInt(256);
        case 1 -> mutated[at] = NASTY[random.nextInt(NASTY.length)];
        case 2 -> mutated = Arrays.copyOf(mutated, Math.max(1, at));
        default -> {
          byte[] shorter = new byte[mutated.length - 1];
          System.arraycopy(mutated, 0, shorter, 0, at);
          System.arraycopy(mutated, at + 1, shorter, at, shorter.length - at);
          mutated = shorter.length == 0 ? mutated : shorter;
        }
      }
    }
    return mutated;
  }
}
