package dev.stint.studio.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Dimension;

/**
 * Makes the pictures of the report in the documents: {@code mvn test -pl studio -am
 * -Dtest=ReportPictures -Dsurefire.failIfNoSpecifiedTests=false -Dstint.pictures=$PWD/docs}.
 */
@EnabledIfSystemProperty(named = "stint.pictures", matches = ".+")
class ReportPictures {

  private static final int WIDTH = 1280;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"report-light, false", "report-dark, true"})
  void of_the_documents(String name, boolean dark) throws IOException {
    Path page = folder.resolve(name + ".html");
    Path picture = Path.of(System.getProperty("stint.pictures"), name + ".png");
    Report.write(Sample.pictured().findings(), page);
    try (Chromium browser = Chromium.start(dark)) {
      browser.driver().manage().window().setSize(new Dimension(WIDTH, 900));
      browser.open(page.toUri().toString());
      long window = (long) browser.run("return outerHeight - innerHeight");
      long content = (long) browser.run("return document.documentElement.scrollHeight");
      browser.picture(picture, WIDTH, (int) (window + content));
    }
    Palette.reduce(picture);
    assertThat(Files.size(picture)).isLessThan(300 * 1024);
  }
}
