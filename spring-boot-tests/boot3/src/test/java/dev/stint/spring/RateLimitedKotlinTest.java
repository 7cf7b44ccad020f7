package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Suspending functions and flows. */
class RateLimitedKotlinTest {

  private static void run(Consumer<KotlinOrders> test) {
    MethodApp.with(KotlinOrders.class)
        .run(context -> test.accept(context.getBean(KotlinOrders.class)));
  }

  @Test
  void a_suspending_function_is_limited_by_its_arguments() {
    run(
        orders -> {
          assertThat(KotlinCalls.order(orders, "ann")).isEqualTo("ordered by ann");
          assertThat(KotlinCalls.order(orders, "ann")).isEqualTo("ordered by ann");
          assertThat(KotlinCalls.order(orders, "bob")).isEqualTo("ordered by bob");
          assertThatExceptionOfType(RateLimitedException.class)
              .isThrownBy(() -> KotlinCalls.order(orders, "ann"));
          assertThat(orders.count()).isEqualTo(3);
        });
  }

  @Test
  void a_suspending_function_may_give_null_and_cost_more() {
    run(
        orders -> {
          assertThat(KotlinCalls.nothing(orders, 1)).isNull();
          assertThatExceptionOfType(RateLimitedException.class)
              .isThrownBy(() -> KotlinCalls.nothing(orders, 2))
              .satisfies(refused -> assertThat(refused.decision().neverFits()).isTrue());
        });
  }

  @Test
  void a_fallback_may_suspend_or_not() {
    run(
        orders -> {
          assertThat(KotlinCalls.patient(orders, "ann")).isEqualTo("now, ann");
          assertThat(KotlinCalls.patient(orders, "ann")).isEqualTo("later, ann");
          assertThat(KotlinCalls.plainly(orders, "ann")).isEqualTo("now, ann");
          assertThat(KotlinCalls.plainly(orders, "ann")).isEqualTo("plain");
        });
  }

  @Test
  void a_suspending_fallback_keeps_the_coroutine_context() {
    run(
        orders -> {
          assertThat(KotlinCalls.name(orders)).isEqualTo("now in checkout");
          assertThat(KotlinCalls.name(orders)).isEqualTo("later in checkout");
        });
  }

  @Test
  void a_flow_is_charged_when_it_is_collected() {
    run(
        orders -> {
          var numbers = orders.numbers();
          orders.numbers();
          assertThat(KotlinCalls.collect(numbers)).containsExactly(1, 2, 3);
          assertThatExceptionOfType(RateLimitedException.class)
              .isThrownBy(() -> KotlinCalls.collect(numbers));
          assertThat(orders.count()).isEqualTo(1);
        });
  }
}
