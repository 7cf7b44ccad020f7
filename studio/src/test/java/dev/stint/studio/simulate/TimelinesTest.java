package dev.stint.studio.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.Scene;
import dev.stint.testkit.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator's decisions are the library's: the timelines have the same answers in both. */
class TimelinesTest {

  /** As many as there were when this was written. New scenes of hits make it more. */
  private static final int SCENES = 52;

  private static final int EXPECTATIONS = 565;

  @TempDir Path folder;

  @Test
  void scenes_of_hits_have_the_same_answers_in_simulate_as_they_expect_and_as_the_library_gives()
      throws IOException {
    int scenes = 0;
    int expectations = 0;
    Map<String, Integer> leftOut = new TreeMap<>();
    for (Timeline timeline : Timeline.packaged()) {
      Scene scene = new Scene(timeline);
      if (scene.obstacle().isEmpty()) {
        compare(scene);
        scenes++;
        expectations += scene.expectations();
      } else {
        leftOut.merge(scene.obstacle(), 1, Integer::sum);
      }
    }
    System.out.println(
        scenes + " scenes with " + expectations + " expectations compared; left out: " + leftOut);
    assertThat(scenes).isGreaterThanOrEqualTo(SCENES);
    assertThat(expectations).isGreaterThanOrEqualTo(EXPECTATIONS);
  }

  private void compare(Scene scene) throws IOException {
    Instant start = scene.start().orElse(ManualTime.create().now());
    List<Map<String, Object>> simulated = simulate(scene, start);
    List<List<String>> library = library(scene, start);
    assertThat(simulated).as(scene.toString()).hasSameSizeAs(scene.hits());
    for (int i = 0; i < simulated.size(); i++) {
      Map<String, Object> one = simulated.get(i);
      List<String> words =
          scene.words(
              (boolean) one.get("allowed"),
              (String) one.get("limit"),
              (long) one.get("remaining"),
              (long) one.get("used"),
              (Long) one.get("retryAfterMicros"),
              (Long) one.get("resetAfterMicros"));
      String step = scene.hits().get(i).told() + "\nsimulate says: " + words;
      assertThat(scene.unmet(i, words)).as(step).isEmpty();
      assertThat(words).as(step).isEqualTo(library.get(i));
    }
  }

  private List<Map<String, Object>> simulate(Scene scene, Instant start) throws IOException {
    List<String> lines =
        scene.hits().stream().map(hit -> hit.at() + "us " + hit.key() + " " + hit.cost()).toList();
    Path trace = Files.write(folder.resolve("trace"), lines);
    List<String> args =
        new ArrayList<>(List.of("--traffic", "trace:" + trace, "--start", start.toString()));
    for (Limit limit : scene.limits()) {
      args.addAll(List.of("--limit", limit.toString()));
    }
    if (scene.limits().stream().allMatch(limit -> limit.kind() == Limit.Kind.TOKEN_BUCKET)) {
      args.addAll(List.of("--algorithm", "token-bucket")); // otherwise it would be tried in all
    }
    args.add("--decisions");
    Command command = Command.run(args.toArray(String[]::new));
    assertThat(command.err()).as(scene.toString()).isEmpty();
    assertThat(command.code()).isZero();
    return command.decisions();
  }

  private static List<List<String>> library(Scene scene, Instant start) {
    ManualTime time = ManualTime.create();
    List<List<String>> answers = new ArrayList<>();
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      RateLimiter limiter = RateLimiter.of(store, scene.limits().toArray(Limit[]::new));
      for (Scene.Hit hit : scene.hits()) {
        time.set(start.plus(Duration.ofNanos(1000).multipliedBy(hit.at())));
        answers.add(scene.words(limiter.hit(hit.key(), hit.cost())));
      }
    }
    return answers;
  }
}
