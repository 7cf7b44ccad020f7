package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What must hold of the dashboard's page even where there is no browser to try it. */
class DashboardPageTest {

  private static String page() throws IOException {
    try (InputStream page = DashboardPageTest.class.getResourceAsStream("dashboard.html")) {
      return new String(Objects.requireNonNull(page).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void is_small() throws IOException {
    assertThat(page().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(80_000);
  }

  @Test
  void needs_nothing_from_elsewhere() throws IOException {
    assertThat(page()).doesNotContain("http:", "https:", "src=", "@import", "url(");
  }

  @Test
  void makes_no_markup_of_what_it_is_told() throws IOException {
    assertThat(page())
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
  }

  @Test
  void keeps_to_a_policy_without_inline_styles_and_handlers() throws IOException {
    assertThat(page()).doesNotContainPattern("<[^>]*\\s(style|on[a-z]+)=");
  }
}
