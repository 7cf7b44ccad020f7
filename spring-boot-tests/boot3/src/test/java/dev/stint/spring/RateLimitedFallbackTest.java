package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Methods that stand in for refused ones. */
class RateLimitedFallbackTest {

  static class Prices {

    @RateLimited(value = "1/min", fallback = "known")
    String price(String thing) {
      return "asked for " + thing;
    }

    @SuppressWarnings("unused") // found by its name
    private String known(String thing) {
      return "as known for " + thing;
    }

    @RateLimited(value = "1/min", fallback = "none")
    int count(String thing) {
      return 1;
    }

    int none() {
      return 0;
    }

    @RateLimited(value = "1/min", fallback = "fails")
    void failing() {}

    void fails() throws IOException {
      throw new IOException("no luck");
    }

    @RateLimited("1/min")
    @RateLimited(value = "5/min", fallback = "first")
    @RateLimited(value = "5/hour", fallback = "second")
    String several() {
      return "now";
    }

    String first() {
      return "first";
    }

    String second() {
      return "second";
    }
  }

  private static void run(Consumer<Prices> test) {
    MethodApp.with(Prices.class).run(context -> test.accept(context.getBean(Prices.class)));
  }

  @Test
  void a_fallback_is_called_in_place_of_a_refused_method_with_its_arguments() {
    run(
        prices -> {
          assertThat(prices.price("tea")).isEqualTo("asked for tea");
          assertThat(prices.price("tea")).isEqualTo("as known for tea");
        });
  }

  @Test
  void a_fallback_may_have_no_parameters() {
    run(
        prices -> {
          assertThat(prices.count("tea")).isEqualTo(1);
          assertThat(prices.count("tea")).isZero();
        });
  }

  @Test
  void what_a_fallback_throws_is_what_the_caller_sees() {
    run(
        prices -> {
          prices.failing();
          assertThatExceptionOfType(Exception.class)
              .isThrownBy(prices::failing)
              .havingRootCause()
              .isInstanceOf(IOException.class)
              .withMessage("no luck");
        });
  }

  @Test
  void of_several_fallbacks_the_first_is_called_whoever_refuses() {
    run(
        prices -> {
          assertThat(prices.several()).isEqualTo("now");
          assertThat(prices.several()).isEqualTo("first");
        });
  }
}
