package dev.stint.server.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Reading;
import dev.stint.server.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Every configuration in the pages about the service can be used, every mistake is told as they
 * say, and every command marked {@code sh run} prints what stands below it.
 */
class ExamplesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the examples take for given. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of("STINT_ADMIN_TOKEN", "0123456789abcdef-1", "SHOP_TOKEN", "0123456789abcdef-2");

  private static final Map<String, String> FILES =
      Map.of(
          "server.pem", "-----BEGIN CERTIFICATE-----",
          "server-key.pem", "-----BEGIN PRIVATE KEY-----",
          "clients.pem", "-----BEGIN CERTIFICATE-----",
          "billing.token", "0123456789abcdef-3",
          "rls/other.yaml", "domain: other");

  @TempDir Path folder;

  @BeforeEach
  void write_files() throws IOException {
    Files.createDirectory(folder.resolve("rls"));
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }

  private Reading read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve(ConfigFile.NAME), yaml);
    return ConfigFile.read(file, ENVIRONMENT);
  }

  /** One mistake a line, with the file's name alone. */
  private String mistakes(Reading reading) {
    return reading.mistakes().stream()
        .map(Mistake::toString)
        .collect(Collectors.joining("\n"))
        .replace(folder + "/", "");
  }

  @TestFactory
  Stream<DynamicTest> configurations_can_be_used() {
    List<DynamicTest> tests = new ArrayList<>();
    Page.ofService()
        .forEach(
            page -> {
              for (Block block : page.blocks()) {
                if (block.language().equals("yaml") || block.language().equals("yaml serve")) {
                  tests.add(
                      dynamicTest(
                          page.place(block),
                          () -> assertThat(mistakes(read(block.text()))).isEmpty()));
                }
              }
            });
    assertThat(tests).hasSizeGreaterThan(5);
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> mistakes_are_told_so() {
    List<DynamicTest> tests = new ArrayList<>();
    Page.ofService()
        .forEach(
            page -> {
              List<Block> blocks = page.blocks();
              for (int i = 0; i < blocks.size(); i++) {
                Block block = blocks.get(i);
                if (block.language().equals("yaml wrong")) {
                  String told = blocks.get(i + 1).text().strip();
                  tests.add(
                      dynamicTest(
                          page.place(block),
                          () -> assertThat(mistakes(read(block.text()))).isEqualTo(told)));
                }
              }
            });
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> commands_print_what_stands_below_them() {
    return Page.ofService()
        .filter(page -> page.blocks().stream().anyMatch(ExamplesTest::isRun))
        .map(page -> dynamicTest(page.name(), () -> runAll(page)));
  }

  private static boolean isRun(Block block) {
    return block.language().equals("sh run");
  }

  /** In the order of the page, each service until the next configuration. */
  private void runAll(Page page) throws Exception {
    SoftAssertions softly = new SoftAssertions();
    List<Block> blocks = page.blocks();
    Shell shell = new Shell(Configuration.standard());
    try {
      for (int i = 0; i < blocks.size(); i++) {
        Block block = blocks.get(i);
        if (block.language().equals("yaml serve")) {
          shell.close();
          shell = new Shell(read(block.text()).configuration());
        } else if (isRun(block)) {
          compare(softly, page.place(block), blocks.get(i + 1), shell.run(block.text()));
        }
      }
    } finally {
      shell.close();
    }
    softly.assertAll();
  }

  private static void compare(SoftAssertions softly, String place, Block below, String printed)
      throws IOException {
    if (below.language().equals("json")) {
      softly.assertThat(JSON.readTree(printed)).as(place).isEqualTo(JSON.readTree(below.text()));
    } else {
      assertThat(below.language()).as(place).isIn("text", "http");
      softly.assertThat(printed).as(place).isEqualTo(Shell.tidy(below.text()));
    }
  }

  @Test
  void files_to_deploy_can_be_used() throws IOException {
    Path deploy = Path.of("..", "deploy");
    assertThat(mistakes(read(Files.readString(deploy.resolve("stint-envoy.yaml"))))).isEmpty();
    assertThat(mistakes(read(configMap(deploy.resolve("kubernetes.yaml"))))).isEmpty();
  }

  private static String configMap(Path file) throws IOException {
    Load load = new Load(LoadSettings.builder().build());
    for (Object document : load.loadAllFromString(Files.readString(file))) {
      if (document instanceof Map<?, ?> map
          && "ConfigMap".equals(map.get("kind"))
          && map.get("data") instanceof Map<?, ?> data) {
        return String.valueOf(data.get(ConfigFile.NAME));
      }
    }
    throw new AssertionError("there must be a ConfigMap in " + file);
  }
}
