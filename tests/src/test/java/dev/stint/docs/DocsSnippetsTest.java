package dev.stint.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Store;
import dev.stint.docs.Page.Block;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every example of the documentation compiles, and every timeline in it holds. */
class DocsSnippetsTest {

  @TestFactory
  Stream<DynamicTest> java_compiles() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Page page : Page.all()) {
      for (Block block : page.blocks("java")) {
        String place = page.place(block);
        tests.add(
            dynamicTest(place, () -> assertThat(Snippet.errors(block.text())).as(place).isEmpty()));
      }
    }
    assertThat(tests).hasSizeGreaterThan(10);
    return tests.stream();
  }

  @Test
  void a_slip_in_an_example_is_noticed() {
    assertThat(Snippet.errors("Limit limit = Limit.parse(\"5/minute\");")).isEmpty();
    assertThat(Snippet.errors("Limit limit = Limit.pars(\"5/minute\");")).hasSize(1);
    assertThat(Snippet.errors("class Mine { Limit limit() { return 5; } }")).hasSize(1);
    assertThat(Snippet.errors("@Test void mine() { missing(); }")).hasSize(1);
  }

  @TestFactory
  Stream<DynamicTest> timelines_hold() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Page page : Page.all()) {
      for (Block block : page.blocks("timeline")) {
        tests.add(dynamicTest(page.place(block), () -> replay(page.place(block), block.text())));
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private static void replay(String place, String text) {
    for (Timeline scene : Timeline.parseAll(place, text)) {
      ManualTime time = ManualTime.create();
      try (Store store = MemoryStore.builder().time(time).build()) {
        scene.replay(store, time);
      }
    }
  }
}
