package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PackagedTimelinesTest {

  @Test
  void the_index_names_every_file_in_the_folder() throws Exception {
    Path index = Path.of(Timeline.class.getResource("timelines/index").toURI());
    try (Stream<Path> files = Files.list(index.getParent())) {
      List<String> timelines =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".timeline"))
              .sorted()
              .toList();
      assertThat(Files.readAllLines(index)).isEqualTo(timelines);
    }
  }

  @Test
  void every_scene_has_a_title_of_its_own() {
    assertThat(Timeline.packaged())
        .hasSizeGreaterThan(80)
        .extracting(Timeline::toString)
        .doesNotHaveDuplicates();
  }

  @Test
  void every_hit_and_peek_says_what_it_expects() {
    for (Timeline timeline : Timeline.packaged()) {
      assertThat(timeline.steps())
          .as(timeline.toString())
          .filteredOn(step -> step.verb().asks())
          .noneMatch(step -> step.facts().isEmpty());
    }
  }
}
