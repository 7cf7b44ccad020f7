package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The browser tells what is wrong with a page; a test that relies on it must be able to fail. */
class ChromiumTest {

  @TempDir Path folder;

  @BeforeAll
  static void needsOne() {
    assumeTrue(Chromium.missing().isEmpty(), () -> Chromium.missing().orElse(""));
  }

  private String page(String body) throws Exception {
    Path file = folder.resolve("page.html");
    Files.writeString(
        file,
        "<!doctype html><html lang=en><head><title>A page</title></head><body><main><h1>A</h1>"
            + body
            + "</main></body></html>");
    return file.toUri().toString();
  }

  @Test
  void a_good_page_has_neither_complaints_nor_violations() throws Exception {
    try (Chromium browser = Chromium.start(false)) {
      browser.open(page("<p>fine</p>"));
      assertThat(browser.driver().getTitle()).isEqualTo("A page");
      assertThat(browser.complaints()).isEmpty();
      assertThat(browser.violations()).isEmpty();
    }
  }

  @Test
  void a_script_that_fails_and_an_image_without_words_are_noticed() throws Exception {
    try (Chromium browser = Chromium.start(true)) {
      browser.open(page("<img src='data:,'><script>nobody.home()</script>"));
      assertThat(browser.complaints()).anyMatch(line -> line.contains("nobody is not defined"));
      assertThat(browser.violations()).anyMatch(line -> line.startsWith("image-alt"));
      assertThat(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"))
          .isEqualTo(true);
    }
  }
}
