package dev.stint.studio.report;

import dev.stint.lab.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Makes the pictures of the report in the documents: {@code mvn test -pl studio -am
 * -Dtest=ReportPictures -Dstint.pictures=docs -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@EnabledIfSystemProperty(named = "stint.pictures", matches = ".+")
class ReportPictures {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "report-light, replay, false, 1280, 2620",
    "report-dark, replay, true, 1280, 2620",
  })
  void of_the_documents(String name, String command, boolean dark, int width, int height)
      throws IOException {
    picture(name, command, dark, width, height);
  }

  private void picture(String name, String command, boolean dark, int width, int height)
      throws IOException {
    Path page = folder.resolve(name + ".html");
    Sample sample = command.equals("replay") ? Sample.replayed() : Sample.recommended();
    Files.writeString(page, Report.of(sample.findings()));
    try (Chromium browser = Chromium.start(dark)) {
      browser.open(page.toUri().toString());
      browser.picture(Path.of(System.getProperty("stint.pictures"), name + ".png"), width, height);
    }
  }
}
