package dev.stint.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.QuietLog;
import dev.stint.server.serve.Reloader;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of files that are nearly right. */
class MutationTest {

  private static final int FILES = 2000;
  private static final long SEED = Long.getLong("stint.seed", 20_261_116);

  private static final Map<String, String> ENVIRONMENT =
      Map.of("ADMIN_TOKEN", "0123456789abcdef", "TEAM_A", "aaaaaaaaaaaaaaaaaaaa");

  /** A place, and a sentence that says what must be or what helps. */
  private static final Pattern TOLD =
      Pattern.compile(
          "[^\\n]*stint\\.yaml(:[1-9]\\d*:[1-9]\\d*)?: [^\\n]*"
              + "(must|unknown|is not something|and \\d+ more)[^\\n]*");

  private static final List<String> INTRUDERS =
      List.of(
          "\t",
          "&a ",
          "*a",
          "!!int ",
          "<<: {}",
          "- ",
          "{",
          "}",
          "[",
          "]",
          "'",
          "\"",
          ": ",
          "---\n",
          "%YAML 9\n",
          "null",
          "~",
          "-1",
          "1e9",
          "0x10",
          "99999999999999999999",
          "yes",
          "|\n",
          ">\n",
          "? ",
          "@",
          "`",
          "\u0000",
          "\u0007",
          "\ud7ff",
          "#",
          ",",
          "\n",
          "  ",
          "minit",
          "1/0",
          "off");

  @TempDir private Path directory;

  @BeforeAll
  static void expectMistakes() {
    QuietLog.ofReloads();
  }

  @Test
  void a_file_that_is_nearly_right_is_taken_whole_or_refused_whole_with_place_and_cure()
      throws IOException {
    Path file = directory.resolve("stint.yaml");
    SplittableRandom random = new SplittableRandom(SEED);
    Engine engine = inForce(Configuration.standard());
    int refused = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = mutated(random);
      Files.write(file, bytes);
      String label =
          "seed " + SEED + ", file " + i + ":\n" + new String(bytes, StandardCharsets.UTF_8);
      Reading reading = ConfigFile.read(file, ENVIRONMENT);
      for (Mistake mistake : reading.mistakes()) {
        assertThat(mistake.toString()).as(label).matches(TOLD);
      }
      if (reading.isGood()) {
        engine.reload(reading.configuration()); // what is taken works
      } else {
        refused++;
      }
    }
    engine.close();
    assertThat(refused).isGreaterThanOrEqualTo(1000);
  }

  @Test
  void of_a_refused_file_nothing_is_in_force() throws IOException {
    Path file = directory.resolve("stint.yaml");
    Files.writeString(file, Samples.RICH);
    Reading first = ConfigFile.read(file, ENVIRONMENT);
    SplittableRandom random = new SplittableRandom(SEED + 1);
    try (Engine engine = inForce(first.configuration());
        Reloader reloader =
            new Reloader(first, () -> ConfigFile.read(file, ENVIRONMENT), target(engine))) {
      for (int i = 0; i < 300; i++) {
        Policies before = engine.policies();
        long taken = reloader.log().successes();
        Files.write(file, mutated(random));
        reloader.lookNow();
        reloader.lookNow();
        boolean same = engine.policies() == before;
        assertThat(same).isEqualTo(reloader.log().successes() == taken);
      }
      assertThat(reloader.log().failures()).isGreaterThan(100);
    }
  }

  private static Reloader.Target target(Engine engine) {
    return new Reloader.Target() {
      @Override
      public void reload(Configuration configuration) {
        engine.reload(configuration);
      }

      @Override
      public void reloadCertificates() {}
    };
  }

  private static Engine inForce(Configuration configuration) {
    return new Engine(configuration, Stores.inMemory(ManualTime.create()), Watch.NOBODY);
  }

  private static byte[] mutated(SplittableRandom random) {
    String text = Samples.RICH;
    int changes = 1 + random.nextInt(2);
    for (int i = 0; i < changes; i++) {
      text = changed(text, random);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(20) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static String changed(String text, SplittableRandom random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int line = random.nextInt(lines.size());
    String old = lines.get(line);
    int at = random.nextInt(old.length() + 1);
    switch (random.nextInt(10)) {
      case 0 -> lines.remove(line);
      case 1 -> lines.add(line, old);
      case 2 -> lines.add(random.nextInt(lines.size()), lines.remove(line));
      case 3 -> lines.set(line, old.substring(0, at) + "x" + old.substring(at));
      case 4 -> lines.set(line, " ".repeat(random.nextInt(4)) + old);
      case 5 -> lines.set(line, old.stripLeading());
      case 6 -> lines.set(line, valueReplaced(old, random));
      case 7 ->
          lines.set(line, old.substring(0, at) + old.substring(Math.min(at + 1, old.length())));
      case 8 -> {
        return text.substring(0, random.nextInt(text.length() + 1));
      }
      default -> lines.set(line, old.substring(0, at) + intruder(random) + old.substring(at));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String valueReplaced(String line, SplittableRandom random) {
    int colon = line.indexOf(": ");
    return colon < 0 ? line + intruder(random) : line.substring(0, colon + 2) + intruder(random);
  }

  private static String intruder(SplittableRandom random) {
    return INTRUDERS.get(random.nextInt(INTRUDERS.size()));
  }
}
