package dev.stint.studio.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnreadableTest {

  private static final String LINE =
      "192.0.2.%d - - [02/Jan/2026:03:04:05 +0000] \"GET /%d HTTP/1.1\" 200 1\n";

  @TempDir private Path folder;

  private static byte[] log(int lines) {
    StringBuilder text = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < lines; i++) {
      text.append(LINE.formatted(i % 200, random.nextInt()));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gz(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private Reading read(byte[] content, String... args) throws IOException, Unreadable {
    Path file = folder.resolve("a.log");
    Files.write(file, content);
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = file.toString();
    return Reading.of(Reading.options(all), new byte[0]);
  }

  @Test
  void gz_of_several_parts_is_read_to_its_end_whatever_its_name() throws Exception {
    byte[] part = gz(log(1000));
    byte[] twice = Arrays.copyOf(part, part.length * 2);
    System.arraycopy(part, 0, twice, part.length, part.length);
    assertThat(read(twice).source().lines()).isEqualTo(2000);
    assertThat(Reading.of(twice).source().lines()).isEqualTo(2000);
  }

  @Test
  void zstd_is_read() throws Exception {
    Reading reading = read(Zstd.compress(log(3000)));
    assertThat(reading.source().lines()).isEqualTo(3000);
    assertThat(reading.recognised()).startsWith("common log format (zstd), ");
  }

  @Test
  void a_missing_file() {
    assertThatThrownBy(() -> Reading.of(Reading.options("nowhere.log"), new byte[0]))
        .isInstanceOf(Unreadable.class)
        .hasMessage(
            "a log must be there: there is no file 'nowhere.log'; check its name, or give - for"
                + " standard input");
  }

  @Test
  void a_directory() {
    assertThatThrownBy(() -> Reading.of(Reading.options(folder.toString()), new byte[0]))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("is a directory; name a file in it");
  }

  @Test
  void an_empty_file_packed_or_not() {
    assertThatThrownBy(() -> read(new byte[0])).hasMessageContaining("is empty");
    assertThatThrownBy(() -> read(gz(new byte[0]))).hasMessageContaining("is empty");
    assertThatThrownBy(() -> read("\n\n \n".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("is empty");
  }

  @Test
  void a_binary_file() {
    byte[] noise = new byte[5000];
    new java.util.Random(3).nextBytes(noise);
    noise[0] = 0;
    assertThatThrownBy(() -> read(noise))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("is binary");
  }

  @Test
  void a_file_packed_by_others_is_told_how_to_unpack() {
    assertThatThrownBy(() -> read("BZh91AY&SY".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("bzip2 -dc FILE | stint ... -");
  }

  @Test
  void text_that_is_no_log() {
    assertThatThrownBy(
            () -> read("Once upon a time\nthere was a log\n".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("none of them in its first 2 lines (such as 'Once upon a time')")
        .hasMessageContaining("--time and --key");
  }

  @Test
  void another_format_than_was_asked_for() {
    assertThatThrownBy(() -> read(log(3), "--format", "alb"))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("has no alb lines in its first 3");
  }

  @Test
  void gz_that_breaks_off_early_or_late() throws IOException {
    byte[] whole = gz(log(50_000));
    for (int length : new int[] {12, 200, whole.length / 2, whole.length - 3}) {
      assertThatThrownBy(() -> read(Arrays.copyOf(whole, length)))
          .isInstanceOf(Unreadable.class)
          .hasMessageContaining("a log must be whole: '")
          .hasMessageContaining("fetch or pack it again");
    }
  }

  @Test
  void zstd_that_breaks_off_or_is_garbled() {
    byte[] whole = Zstd.compress(log(50_000));
    assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length / 2)))
        .isInstanceOf(Unreadable.class)
        .hasMessageContaining("a log must be whole");
  }

  @Test
  void a_line_without_end_is_one_bad_line() throws Exception {
    byte[] line = log(1);
    byte[] all = Arrays.copyOf(line, 300_000 + 2 * line.length);
    Arrays.fill(all, line.length, all.length - line.length, (byte) 'x');
    all[all.length - line.length - 1] = '\n';
    System.arraycopy(line, 0, all, all.length - line.length, line.length);
    Reading reading = read(all);
    assertThat(reading.requests()).hasSize(2);
    assertThat(reading.source().bad()).isEqualTo(1);
    assertThat(reading.said()).containsExactly("line 2 is left out: longer than 64 KiB");
  }

  @Test
  void a_line_of_names_is_not_blamed_for_what_other_lines_lack() {
    assertThatThrownBy(() -> Reading.of("time,ip,n\n2026-01-02T03:04:05Z,a,-4\n", "--cost", "n"))
        .hasMessageEndingWith("the first has cost must be a whole number from 1 to 1,000,000,000");
  }

  @Test
  void an_unknown_field_shows_nothing_of_the_log_to_who_wants_none_shown() {
    String noNames = "2026-01-02T03:04:05Z,alice\n";
    assertThatThrownBy(() -> Reading.of(noNames, "--time", "1", "--key", "who", "--anonymize"))
        .hasMessageContaining("'who'")
        .hasMessageNotContaining("alice");
  }

  @Test
  void an_unknown_field_is_told_in_a_bounded_sentence_without_control_characters() {
    String wide = "time,\u001b[2J" + ",x".repeat(900) + "\n2026-01-02T03:04:05Z\n";
    assertThatThrownBy(() -> Reading.of(wide, "--key", "who"))
        .hasMessageNotContaining("\u001b")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1000));
  }
}
