package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WritersTest {

  @Test
  void json_nests_and_escapes() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("text", "a \"quoted\" \\ line\nand \u0001 ×");
    map.put("numbers", List.of(1, 2.5, Double.NaN));
    map.put("none", List.of());
    map.put("empty", Map.of());
    map.put("true", true);
    assertThat(Json.write(map))
        .isEqualTo(
            """
            {
              "text": "a \\"quoted\\" \\\\ line\\nand \\u0001 ×",
              "numbers": [
                1,
                2.500,
                null
              ],
              "none": [],
              "empty": {},
              "true": true
            }
            """);
  }

  @Test
  void a_table_is_padded_and_a_missing_cell_is_a_dash() {
    MarkdownTable table =
        new MarkdownTable("who").put("Stint", "hot", "80").put("a | b", "1 M", "1,300");
    assertThat(table)
        .hasToString(
            """
            | who    | hot |   1 M |
            |--------|----:|------:|
            | Stint  |  80 |     – |
            | a \\| b |   – | 1,300 |
            """);
  }

  @Test
  void the_median_is_the_middle_or_between_the_two_in_the_middle() {
    assertThat(Timing.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
    assertThat(Timing.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
  }
}
