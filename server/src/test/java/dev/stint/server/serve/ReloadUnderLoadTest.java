package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.algorithm.Operation;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Reading;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadUnderLoadTest {

  private static final int RELOADS = 1000;
  private static final int THREADS = 2;
  private static final byte[] KEY = "alice".getBytes(StandardCharsets.UTF_8);

  /**
   * Two good files, which differ in amount and in much else, and a bad one. Windows keep their
   * units when the amount changes; a bucket would keep its debt in time, and could not be counted.
   */
  private static final List<String> FILES =
      List.of(
          "policies: {a: 1000000000/day fixed-window}",
          "policies: {a: {limits: 2000000000/day fixed-window, mode: shadow, headers: none}, b: 5/minute}",
          "policies: {a: 5/minit, c: 5/minute}");

  @TempDir private Path directory;

  @BeforeAll
  static void expectMistakes() {
    QuietLog.ofReloads();
  }

  @Test
  void no_count_is_lost_and_no_request_fails_while_files_change() throws Exception {
    Path file = Files.writeString(directory.resolve("stint.yaml"), FILES.get(0));
    Reading first = ConfigFile.read(file, Map.of());
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Engine engine =
            new Engine(first.configuration(), Stores.inMemory(ManualTime.create()), Watch.NOBODY);
        Reloader reloader =
            new Reloader(first, () -> ConfigFile.read(file, Map.of()), target(engine))) {
      List<Future<Long>> hits = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        hits.add(threads.submit(() -> hitUntil(done, engine)));
      }
      for (int i = 1; i <= RELOADS; i++) {
        Files.writeString(file, FILES.get(i % FILES.size()));
        reloader.lookNow();
        reloader.lookNow();
      }
      done.set(true);
      long admitted = 0;
      for (Future<Long> one : hits) {
        admitted += one.get();
      }
      Decision after = engine.ask(Operation.PEEK, policy(engine), KEY, 1);
      assertThat(after.used()).isEqualTo(admitted);
      assertThat(admitted).isGreaterThan(RELOADS);
      assertThat(reloader.log().failures()).isEqualTo(RELOADS / 3);
      assertThat(reloader.log().successes() + reloader.log().failures()).isEqualTo(RELOADS);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Policy policy(Engine engine) {
    Policy policy = engine.policies().find("a");
    if (policy == null) {
      throw new AssertionError("a policy that is in every good file was not there");
    }
    return policy;
  }

  private static long hitUntil(AtomicBoolean done, Engine engine) {
    long hits = 0;
    while (!done.get()) {
      Decision decision = engine.ask(Operation.HIT, policy(engine), KEY, 1);
      if (!decision.allowed() || engine.policies().find("c") != null) {
        throw new AssertionError("refused, or a policy of the bad file is in force");
      }
      hits++;
    }
    return hits;
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
}
