package dev.stint.studio.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final String PAGE = Report.of(Sample.replayed().findings());

  @Test
  void a_page_of_six_lanes_is_small() {
    assertThat(PAGE.getBytes(StandardCharsets.UTF_8).length).isLessThan(150 * 1024);
  }

  @Test
  void a_page_without_findings_is_smaller_still() {
    assertThat(Report.template().getBytes(StandardCharsets.UTF_8).length).isLessThan(80 * 1024);
  }

  @Test
  void the_page_names_no_address_but_that_of_a_vocabulary() {
    String others = Report.template().replace("http://www.w3.org/2000/svg", "");
    assertThat(others).doesNotContain("http:").doesNotContain("https:").doesNotContain("src=");
  }

  @Test
  void every_mark_of_the_template_is_filled() {
    assertThat(PAGE).doesNotContainPattern("@(policy|style|script|findings)@");
  }

  @Test
  void nothing_is_allowed_but_the_style_and_the_script_of_the_page() {
    assertThat(PAGE)
        .containsPattern(
            "content=\"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; script-src"
                + " 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'\"");
  }

  @Test
  void findings_have_no_character_with_which_they_could_end_early() {
    String opening = "<script type=\"application/json\" id=\"findings\">";
    int start = PAGE.indexOf(opening) + opening.length();
    String findings = PAGE.substring(start, PAGE.indexOf("</script>", start));
    assertThat(findings)
        .contains("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)")
        .matches("(?s)[\\n -~&&[^<>&]]*");
  }

  @Test
  void half_a_pair_of_surrogates_in_a_key_does_not_keep_the_page_from_being_written(
      @TempDir Path folder) throws IOException {
    Path file = folder.resolve("report.html");
    Report.write(Sample.replayed().findings(), file);
    assertThat(Files.readString(file)).isEqualTo(PAGE).contains("\\ud800");
  }

  @Test
  void the_same_findings_give_the_same_page() {
    assertThat(Report.of(Sample.replayed().findings())).isEqualTo(PAGE);
  }
}
