package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.FlowAdapters;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods whose result comes later. */
class RateLimitedAsyncTest {

  static class Later {
    final AtomicInteger calls = new AtomicInteger();

    AtomicInteger calls() {
      return calls;
    }

    @RateLimited("1/min")
    public CompletableFuture<String> future() {
      calls.incrementAndGet();
      return CompletableFuture.completedFuture("done");
    }

    @RateLimited("1/min")
    public CompletionStage<String> stage() {
      return CompletableFuture.completedFuture("done");
    }

    @RateLimited(value = "1/min", by = "#user.length()")
    public CompletableFuture<String> failing(String user) {
      throw new IllegalStateException("no " + user);
    }

    @RateLimited(value = "1/min", fallback = "laterFuture")
    public CompletableFuture<String> futureOrLater(String user) {
      return CompletableFuture.completedFuture("now " + user);
    }

    CompletableFuture<String> laterFuture(String user) {
      return CompletableFuture.completedFuture("later " + user);
    }

    @RateLimited("2/min")
    public Mono<Integer> mono() {
      return Mono.just(calls.incrementAndGet());
    }

    @RateLimited("1/min")
    public Flux<Integer> flux() {
      calls.incrementAndGet();
      return Flux.range(1, 3);
    }

    @RateLimited("1/min")
    public Flow.Publisher<Integer> publisher() {
      return FlowAdapters.toFlowPublisher(Flux.range(1, 3));
    }

    @RateLimited(value = "1/min", fallback = "laterMono")
    public Mono<String> monoOrLater(String user) {
      return Mono.just("now " + user);
    }

    Mono<String> laterMono() {
      return Mono.just("later");
    }
  }

  private static void run(Consumer<Later> test) {
    MethodApp.with(Later.class).run(context -> test.accept(context.getBean(Later.class)));
  }

  @Test
  void a_refused_future_fails_with_the_refusal_itself() {
    run(
        later -> {
          assertThat(later.future()).isCompletedWithValue("done");
          assertThatExceptionOfType(ExecutionException.class)
              .isThrownBy(() -> later.future().get())
              .withCauseInstanceOf(RateLimitedException.class);
          assertThat(later.calls()).hasValue(1);
          assertThat(later.stage().toCompletableFuture()).isCompletedWithValue("done");
          assertThat(later.stage().toCompletableFuture()).isCompletedExceptionally();
        });
  }

  @Test
  void what_goes_wrong_before_the_future_fails_the_future() {
    run(
        later -> {
          assertThat(later.failing("ann"))
              .failsWithin(Duration.ofSeconds(1))
              .withThrowableThat()
              .withMessageContaining("no ann");
          assertThat(later.failing(null)).isCompletedExceptionally();
        });
  }

  @Test
  void a_fallback_gives_its_own_future() {
    run(
        later -> {
          assertThat(later.futureOrLater("ann")).isCompletedWithValue("now ann");
          assertThat(later.futureOrLater("ann")).isCompletedWithValue("later ann");
        });
  }

  @Test
  void each_subscription_is_charged_and_calls_the_method() {
    run(
        later -> {
          Mono<Integer> mono = later.mono();
          later.mono();
          later.mono();
          assertThat(later.calls()).hasValue(0);
          assertThat(mono.block()).isEqualTo(1);
          assertThat(mono.block()).isEqualTo(2);
          assertThatExceptionOfType(RateLimitedException.class).isThrownBy(mono::block);
          assertThat(later.calls()).hasValue(2);
        });
  }

  @Test
  void a_refused_flux_fails_before_its_first_item() {
    run(
        later -> {
          assertThat(later.flux().collectList().block()).containsExactly(1, 2, 3);
          assertThatExceptionOfType(RateLimitedException.class)
              .isThrownBy(() -> later.flux().collectList().block());
          assertThat(later.calls()).hasValue(1);
        });
  }

  @Test
  void other_reactive_types_are_limited_alike() {
    run(
        later -> {
          Flux<Integer> numbers = Flux.defer(() -> FlowAdapters.toPublisher(later.publisher()));
          assertThat(numbers.collectList().block()).containsExactly(1, 2, 3);
          assertThatExceptionOfType(RateLimitedException.class)
              .isThrownBy(() -> numbers.collectList().block());
        });
  }

  @Test
  void a_fallback_gives_its_own_mono() {
    run(
        later -> {
          assertThat(later.monoOrLater("ann").block()).isEqualTo("now ann");
          assertThat(later.monoOrLater("ann").block()).isEqualTo("later");
        });
  }

  /** A store whose answers come when they are told to. */
  static final class SlowStore implements Store {
    final CompletableFuture<Void> answers = new CompletableFuture<>();
    private final Store inner = MemoryStore.create();

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      throw new AssertionError("a thread would have been blocked");
    }

    @Override
    public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
      return answers.thenApply(told -> inner.run(operation, limits));
    }

    @Override
    public void prepare(Collection<Limit> limits) {
      inner.prepare(limits);
    }

    @Override
    public long clean() {
      return 0;
    }

    @Override
    public TimeSource time() {
      return inner.time();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Slow {

    @Bean
    SlowStore store() {
      return new SlowStore();
    }
  }

  @Test
  void nobody_is_blocked_while_the_store_is_asked() {
    new ApplicationContextRunner()
        .withUserConfiguration(Slow.class, Later.class)
        .withConfiguration(
            AutoConfigurations.of(StintAutoConfiguration.class, MethodAutoConfiguration.class))
        .run(
            context -> {
              Later later = context.getBean(Later.class);
              CompletableFuture<String> first = later.future();
              CompletableFuture<Integer> second = later.mono().toFuture();
              CompletableFuture<String> third = later.futureOrLater("ann");
              assertThat(first).isNotDone();
              assertThat(second).isNotDone();
              assertThat(later.calls()).hasValue(0);
              context.getBean(SlowStore.class).answers.complete(null);
              // All on other threads than the one that brings the answer.
              Duration soon = Duration.ofSeconds(10);
              assertThat(first).succeedsWithin(soon).isEqualTo("done");
              assertThat(second).succeedsWithin(soon);
              assertThat(third).succeedsWithin(soon).isEqualTo("now ann");
            });
  }

  @Test
  void a_method_that_waits_does_not_keep_the_thread_that_brings_answers() {
    new ApplicationContextRunner()
        .withUserConfiguration(Slow.class, Waiting.class)
        .withConfiguration(
            AutoConfigurations.of(StintAutoConfiguration.class, MethodAutoConfiguration.class))
        .run(
            context -> {
              Waiting waiting = context.getBean(Waiting.class);
              List<CompletableFuture<String>> calls = new ArrayList<>();
              for (int i = 0; i < 8; i++) {
                calls.add(waiting.future());
              }
              CompletableFuture<String> reactive = waiting.mono().toFuture();
              Thread store =
                  new Thread(
                      () -> context.getBean(SlowStore.class).answers.complete(null), "store");
              store.start();
              store.join(5_000);
              assertThat(store.isAlive()).as("a body keeps the store's thread").isFalse();
              waiting.go();
              for (CompletableFuture<String> call : calls) {
                assertThat(call).succeedsWithin(Duration.ofSeconds(10)).isNotEqualTo("store");
              }
              assertThat(reactive).succeedsWithin(Duration.ofSeconds(10)).isNotEqualTo("store");
            });
  }

  static class Waiting {
    private final CountDownLatch go = new CountDownLatch(1);

    void go() {
      go.countDown();
    }

    @RateLimited("1000/min")
    public CompletableFuture<String> future() throws InterruptedException {
      go.await();
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @RateLimited("1000/min")
    public Mono<String> mono() {
      return Mono.just(Thread.currentThread().getName());
    }
  }
}
