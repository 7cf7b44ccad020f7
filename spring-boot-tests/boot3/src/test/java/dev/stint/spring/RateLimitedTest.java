package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.stint.Decision;
import dev.stint.spring.MethodApp.WatchedStore;
import dev.stint.testkit.ManualTime;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AliasFor;

/** What the annotation says, on methods that return plain values. */
class RateLimitedTest {

  record User(String id) {}

  static class Orders {
    int calls;

    @RateLimited("2/min")
    int all() {
      return ++calls;
    }

    @RateLimited(value = "1/min", by = "#user.id")
    void byUser(User user) {}

    @RateLimited(value = "1/min", by = "#p1")
    void byPosition(String first, String second) {}

    @RateLimited(value = "1/min", by = "{#tenant, #user}")
    void byTwo(String tenant, String user) {}

    @RateLimited(value = "1/min", by = "#root.method.name + #root.args[0]")
    void byRoot(String user) {}

    @RateLimited(value = "1/min", by = "#user?.id")
    void perhaps(User user) {}

    @RateLimited(value = "1/min", by = "#user")
    void byOptional(Optional<String> user) {}

    @RateLimited(value = "1/min", by = "#thing")
    void byThing(Object thing) {}

    @RateLimited(value = "10/min", cost = "#items.size()")
    void costly(List<String> items) {}

    @RateLimited(value = "3/min", cost = "#units")
    void weighed(Number units) {}

    @RateLimited("2/min; 3/hour fixed-window")
    void several() {}

    @RateLimited("${orders.limit:1/min}")
    void configured() {}

    @RateLimited(value = "1/min", shadow = true)
    int watched() {
      return ++calls;
    }

    @RateLimited(value = "1/min", name = "shared")
    void one() {}

    @RateLimited(value = "1/min", name = "shared")
    void other() {}

    @RateLimited(value = "1/min", by = "#a")
    @RateLimited("3/min")
    void twice(String a) {}

    @RateLimited("1/min")
    void aMethodWithANameThatIsSoLongThatNoLimitCouldEverBeNamedAfterItAsItIs() {}

    void free() {
      calls++;
    }

    /** Not the field: a proxy's is another. */
    int calls() {
      return calls;
    }
  }

  private static void run(Class<?> bean, Consumer<ApplicationContext> test) {
    MethodApp.with(bean).run(context -> test.accept(context));
  }

  private static void orders(Consumer<Orders> test) {
    run(Orders.class, context -> test.accept(context.getBean(Orders.class)));
  }

  private static RateLimitedException refused(ThrowingCallable call) {
    return assertThatExceptionOfType(RateLimitedException.class).isThrownBy(call).actual();
  }

  @Test
  void a_refused_call_throws_and_the_method_is_not_called() {
    orders(
        orders -> {
          assertThat(orders.all()).isEqualTo(1);
          assertThat(orders.all()).isEqualTo(2);
          refused(orders::all);
          orders.free();
          assertThat(orders.calls()).isEqualTo(3);
        });
  }

  @Test
  void the_exception_says_how_long_to_wait_and_that_is_right() {
    run(
        Orders.class,
        context -> {
          Orders orders = context.getBean(Orders.class);
          orders.all();
          orders.all();
          RateLimitedException refusal = refused(orders::all);
          assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(30));
          assertThat(refusal.decision().allowed()).isFalse();
          assertThat(refusal)
              .hasMessageStartingWith("Orders.all has no room for this call: denied by 2/");
          ManualTime time = context.getBean(ManualTime.class);
          time.advance(refusal.retryAfter());
          assertThatNoException().isThrownBy(orders::all);
        });
  }

  @Test
  void keys_are_counted_apart() {
    orders(
        orders -> {
          orders.byUser(new User("ann"));
          orders.byUser(new User("bob"));
          refused(() -> orders.byUser(new User("ann")));
          orders.byPosition("x", "ann");
          refused(() -> orders.byPosition("y", "ann"));
          orders.byRoot("ann");
          orders.byRoot("bob");
          refused(() -> orders.byRoot("ann"));
        });
  }

  @Test
  void two_parts_of_a_key_do_not_run_into_each_other() {
    orders(
        orders -> {
          orders.byTwo("a, b", "c");
          orders.byTwo("a", "b, c");
          refused(() -> orders.byTwo("a", "b, c"));
        });
  }

  @Test
  void calls_without_a_key_share_one_budget() {
    orders(
        orders -> {
          orders.perhaps(null);
          orders.perhaps(new User("ann"));
          refused(() -> orders.perhaps(null));
          orders.byOptional(Optional.empty());
          orders.byOptional(Optional.of("ann"));
          refused(() -> orders.byOptional(Optional.empty()));
        });
  }

  @Test
  void an_object_without_a_text_is_no_key() {
    orders(
        orders ->
            assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> orders.byThing(new Object()))
                .withMessage(
                    "by must give a value that has a text of its own: java.lang.Object has no"
                        + " toString(); write one of its properties, such as #user.id"));
  }

  @Test
  void keys_are_hashed_before_they_are_stored() {
    run(
        Orders.class,
        context -> {
          context.getBean(Orders.class).byUser(new User("ann"));
          Object key = context.getBean(WatchedStore.class).asked.get(0).get(0).key().value();
          assertThat(key)
              .isInstanceOfSatisfying(byte[].class, hash -> assertThat(hash).hasSize(16));
        });
  }

  @Test
  void a_call_costs_what_the_expression_gives() {
    orders(
        orders -> {
          orders.costly(List.of("a", "b", "c", "d", "e", "f", "g", "h"));
          refused(() -> orders.costly(List.of("a", "b", "c")));
          orders.costly(List.of("a", "b"));
        });
  }

  @Test
  void no_cost_is_free_less_is_one_and_a_part_is_rounded_up() {
    orders(
        orders -> {
          orders.weighed(-0.5);
          orders.weighed(null);
          orders.weighed(0.5);
          orders.weighed(0);
          refused(() -> orders.weighed(1));
          orders.weighed(0L);
        });
  }

  @Test
  void a_cost_that_never_fits_is_refused_for_ever() {
    orders(
        orders ->
            assertThat(refused(() -> orders.weighed(4)).retryAfter()).isEqualTo(Decision.NEVER));
  }

  @Test
  void several_limits_in_one_annotation_are_decided_together() {
    run(
        Orders.class,
        context -> {
          Orders orders = context.getBean(Orders.class);
          orders.several();
          orders.several();
          refused(orders::several);
          context.getBean(ManualTime.class).advance(Duration.ofMinutes(1));
          orders.several();
          assertThat(refused(orders::several).decision().amount()).isEqualTo(3);
          assertThat(context.getBean(WatchedStore.class).asked).hasSize(5);
        });
  }

  @Test
  void limits_may_come_from_the_configuration() {
    ApplicationContextRunner app = MethodApp.with(Orders.class);
    app.run(
        context -> {
          Orders orders = context.getBean(Orders.class);
          orders.configured();
          refused(orders::configured);
        });
    app.withPropertyValues("orders.limit=2/min")
        .run(
            context -> {
              Orders orders = context.getBean(Orders.class);
              orders.configured();
              orders.configured();
              refused(orders::configured);
            });
  }

  @Test
  void a_shadow_counts_and_never_refuses() {
    run(
        Orders.class,
        context -> {
          Orders orders = context.getBean(Orders.class);
          orders.watched();
          assertThat(orders.watched()).isEqualTo(2);
          assertThat(context.getBean(WatchedStore.class).asked)
              .hasSize(2)
              .allSatisfy(limits -> assertThat(limits.get(0).isShadow()).isTrue());
        });
  }

  @Test
  void methods_count_apart_and_those_of_one_name_together() {
    orders(
        orders -> {
          orders.one();
          refused(orders::other);
          orders.configured();
        });
  }

  @Test
  void two_annotations_are_one_question_and_all_or_nothing() {
    run(
        Orders.class,
        context -> {
          Orders orders = context.getBean(Orders.class);
          orders.twice("ann");
          for (int i = 0; i < 5; i++) {
            refused(() -> orders.twice("ann")); // takes nothing from the three of all
          }
          orders.twice("bob");
          orders.twice("cid");
          refused(() -> orders.twice("dan"));
          WatchedStore store = context.getBean(WatchedStore.class);
          assertThat(store.asked).hasSize(9).allSatisfy(one -> assertThat(one).hasSize(2));
          assertThat(store.names())
              .containsExactly("RateLimitedTest.Orders.twice", "RateLimitedTest.Orders.twice.2");
        });
  }

  @Test
  void a_long_name_is_shortened_and_still_its_own() {
    run(
        Orders.class,
        context -> {
          context
              .getBean(Orders.class)
              .aMethodWithANameThatIsSoLongThatNoLimitCouldEverBeNamedAfterItAsItIs();
          assertThat(context.getBean(WatchedStore.class).names())
              .singleElement()
              .asString()
              .matches("RateLimitedTest\\.Orders\\.aMethodWithANameThatIsSo-[0-9a-f]{16}");
        });
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(value = "", by = "#user")
  @interface PerUser {

    @AliasFor(annotation = RateLimited.class, attribute = "value")
    String limit();
  }

  @RateLimited("3/min")
  interface Api {

    void call(String user);

    void other();

    void exempt();
  }

  static class Implementation implements Api {

    @Override
    @PerUser(limit = "1/min")
    public void call(String user) {}

    @Override
    public void other() {}

    @Override
    @RateLimitExempt
    public void exempt() {}

    void notPublic() {}

    @Override
    public String toString() {
      return "implementation";
    }
  }

  @RateLimitExempt
  static class Exempt extends Implementation {}

  @Test
  void an_annotation_may_be_made_of_it_and_joins_those_of_the_class() {
    run(
        Implementation.class,
        context -> {
          Api api = context.getBean(Api.class);
          api.call("ann");
          assertThat(refused(() -> api.call("ann")).decision().amount()).isEqualTo(1);
          api.call("bob");
          api.call("cid");
          assertThat(refused(() -> api.call("dan")).decision().amount()).isEqualTo(3);
          assertThat(context.getBean(WatchedStore.class).asked)
              .allSatisfy(one -> assertThat(one).hasSize(2));
        });
  }

  @Test
  void on_a_class_it_is_for_each_public_method_by_itself() {
    run(
        Implementation.class,
        context -> {
          Implementation bean = context.getBean(Implementation.class);
          for (int i = 0; i < 3; i++) {
            bean.other();
            bean.call("user" + i);
          }
          refused(bean::other);
          for (int i = 0; i < 9; i++) {
            bean.notPublic();
            assertThat(bean).hasToString("implementation");
          }
        });
  }

  @Test
  void exempt_methods_and_classes_are_not_limited() {
    run(
        Implementation.class,
        context -> {
          for (int i = 0; i < 9; i++) {
            context.getBean(Api.class).exempt();
          }
          assertThat(context.getBean(WatchedStore.class).asked).isEmpty();
        });
    run(
        Exempt.class,
        context -> {
          for (int i = 0; i < 9; i++) {
            context.getBean(Api.class).call("ann");
          }
          assertThat(context.getBean(WatchedStore.class).asked).isEmpty();
        });
  }

  @Test
  void beans_behind_an_interface_are_limited_too() {
    MethodApp.with(Implementation.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              Api api = context.getBean(Api.class);
              assertThat(api).isNotInstanceOf(Implementation.class);
              api.call("ann");
              refused(() -> api.call("ann"));
            });
  }

  @Test
  void nothing_is_limited_where_stint_is_off() {
    MethodApp.with(Orders.class)
        .withPropertyValues("stint.enabled=false")
        .run(
            context -> {
              Orders orders = context.getBean(Orders.class);
              for (int i = 1; i < 9; i++) {
                assertThat(orders.all()).isEqualTo(i);
              }
            });
  }

  static class Careful {

    @RateLimited("1/min")
    void usual() {}

    @RateLimited(value = "1/min", onStoreError = OnStoreError.ALLOW)
    void open() {}

    @RateLimited(value = "1/min", onStoreError = OnStoreError.DENY)
    void closed() {}
  }

  @Test
  void while_the_store_is_down_each_annotation_has_its_own_answer() {
    run(
        Careful.class,
        context -> {
          context.getBean(WatchedStore.class).down = true;
          Careful careful = context.getBean(Careful.class);
          careful.usual();
          assertThat(refused(careful::usual).decision().degraded()).isTrue();
          careful.open();
          careful.open();
          refused(careful::closed);
        });
  }
}
