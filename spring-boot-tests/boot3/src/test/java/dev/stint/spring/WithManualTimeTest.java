package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.spring.test.WithManualTime;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

/** The time of a Boot test, by one annotation. */
@SpringBootTest(
    classes = WithManualTimeTest.App.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE)
@WithManualTime
class WithManualTimeTest {

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {}

  @Autowired ManualTime time;
  @Autowired Stores stores;
  private RateLimiter limiter;

  @BeforeEach
  void limit() {
    limiter = RateLimiter.of(stores.orElse(null), Limit.parse("1/day").named("api"));
  }

  @Test
  void the_store_decides_by_the_clock_of_the_test() {
    limiter.hit("ann");
    Decision refused = limiter.hit("ann");
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofDays(1));
    time.advance(Duration.ofDays(1));
    assertThat(limiter.hit("ann").allowed()).isTrue();
  }

  @Test
  void what_one_test_uses_up_the_other_finds_free() {
    assertThat(limiter.hit("ann").allowed()).isTrue();
  }

  @Test
  void and_the_other_way_round() {
    assertThat(limiter.hit("ann").allowed()).isTrue();
  }

  @Test
  void every_test_begins_on_the_first_moment_of_a_year() {
    assertThat(time.now().toString()).endsWith("-01-01T00:00:00Z");
  }
}
