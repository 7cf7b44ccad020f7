package dev.stint.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.http.HttpLimiter;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Calls whose store answers later, on a thread of its own. */
class FarStoreTest {

  private static final String LOOPBACK = "127.0.0.1";

  private final FarStore store =
      new FarStore(MemoryStore.builder().time(ManualTime.create()).build());

  private static Rule twice() {
    return Rule.of("api", "2/minute fixed-window-per-key");
  }

  private HttpLimiter limiter(Rule rule) {
    return HttpLimiter.builder(store).rule(rule).build();
  }

  private RateLimitInterceptor interceptor(Rule rule) {
    return new RateLimitInterceptor(limiter(rule));
  }

  @Test
  void a_call_waits_for_its_answer_and_misses_nothing() throws Exception {
    try (TalkServer server = TalkServer.behind(interceptor(twice()))) {
      Conversation conversation = server.begin(Talk.BOTH, "a", "b", "c");
      Runnable question = store.question();
      assertThat(server.handled()).isEmpty();
      FarStore.answer(question);
      Ended ended = conversation.end();
      assertThat(ended.code()).isEqualTo(Status.Code.OK);
      assertThat(ended.messages()).containsExactly("a", "b", "c");
      assertThat(ended.header("ratelimit")).isEqualTo("\"api\";r=1;t=60");
    }
  }

  @Test
  void a_call_that_is_refused_later_never_reaches_its_handler() throws Exception {
    try (TalkServer server = TalkServer.behind(interceptor(twice().cost(3)))) {
      Conversation conversation = server.begin(Talk.MANY_QUESTIONS, "a", "b");
      store.answerNext();
      assertThat(conversation.end().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(server.handled()).isEmpty();
    }
  }

  @Test
  void no_thread_of_the_transport_waits() throws Exception {
    try (TalkServer server = TalkServer.withoutThreadsBehind(interceptor(twice()))) {
      Conversation first = server.begin(Talk.UNARY, "first");
      Runnable asked = store.question();
      Conversation second = server.begin(Talk.UNARY, "second");
      store.answerNext();
      assertThat(second.end().messages()).containsExactly("second");
      assertThat(first.isOver()).isFalse();
      FarStore.answer(asked);
      assertThat(first.end().messages()).containsExactly("first");
    }
  }

  @Test
  void nothing_is_requested_of_the_client_before_the_handler_does() throws Exception {
    AtomicInteger requested = new AtomicInteger();
    Outer outer =
        new Outer() {
          @Override
          void requested(int messages) {
            requested.addAndGet(messages);
          }
        };
    try (TalkServer server = TalkServer.behind(outer, interceptor(twice()))) {
      Conversation conversation = server.begin(Talk.MANY_ANSWERS, "a");
      Runnable question = store.question();
      assertThat(requested).hasValue(0);
      FarStore.answer(question);
      conversation.end();
      assertThat(requested).hasPositiveValue();
    }
  }

  @Test
  void messages_that_arrive_before_the_answer_are_kept_in_order() throws Exception {
    CountDownLatch arrived = new CountDownLatch(3);
    Outer eager =
        new Outer() {
          @Override
          void begins(ServerCall<?, ?> call) {
            call.request(3);
          }

          @Override
          void messagePassed() {
            arrived.countDown();
          }
        };
    try (TalkServer server = TalkServer.behind(eager, interceptor(twice()))) {
      Conversation conversation = server.begin(Talk.MANY_QUESTIONS, "a", "b", "c", "d");
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(server.handled()).isEmpty();
      store.answerNext();
      assertThat(conversation.end().messages()).containsExactly("a b c d");
    }
  }

  @Test
  void the_handler_of_a_call_that_was_cancelled_meanwhile_is_not_called() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    Outer outer =
        new Outer() {
          @Override
          void cancelPassed() {
            cancelled.countDown();
          }
        };
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 499));
    CountDownLatch asked = new CountDownLatch(1);
    try (TalkServer server =
        TalkServer.behind(
            outer,
            new RateLimitInterceptor(limiter)
                .executor(
                    work -> {
                      work.run();
                      asked.countDown();
                    }))) {
      Conversation conversation = server.begin(Talk.BOTH, "a");
      Runnable question = store.question();
      conversation.cancel();
      assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
      FarStore.answer(question);
      assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(server.handled()).isEmpty();
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(2);
    }
  }

  @Test
  void a_call_that_is_cancelled_after_its_answer_tells_its_handler() throws Exception {
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 499));
    try (TalkServer server = TalkServer.behind(new RateLimitInterceptor(limiter))) {
      Conversation conversation = server.begin(Talk.UNARY, "nothing");
      store.answerNext();
      await().until(() -> server.handled().contains("Say"));
      conversation.cancel();
      await().until(() -> limiter.peek("api", LOOPBACK).remaining() == 2);
    }
  }

  /** Notes in what context and on which thread a handler is started. */
  private static final class Watch implements ServerInterceptor {
    final AtomicReference<String> user = new AtomicReference<>();
    final AtomicReference<String> thread = new AtomicReference<>();

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      user.set(Authentication.USER.get());
      thread.set(Thread.currentThread().getName());
      return next.startCall(call, headers);
    }
  }

  @Test
  void a_handler_starts_in_the_context_of_its_call_and_not_on_the_stores_thread() throws Exception {
    Watch watch = new Watch();
    try (TalkServer server = TalkServer.behind(new Authentication(), interceptor(twice()), watch)) {
      Conversation conversation = server.begin(Talk.UNARY, TalkServer.sent("user", "alice"), "a");
      store.answerNext();
      conversation.end();
      assertThat(watch.user).hasValue("alice");
      // An answer that arrives before the interceptor waits for it is used on the call's own
      // thread.
      assertThat(watch.thread.get()).isNotNull().isNotEqualTo(FarStore.THREAD);
    }
  }

  @Test
  void a_replaced_refusal_can_look_at_the_principal() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(twice().cost(3))
            .refusal(
                (request, standard) -> standard.body("text/plain", "Not " + request.principal()))
            .build();
    try (TalkServer server =
        TalkServer.behind(
            new Authentication(),
            new RateLimitInterceptor(limiter).principal(Authentication.USER))) {
      Conversation conversation = server.begin(Talk.UNARY, TalkServer.sent("user", "alice"), "a");
      store.answerNext();
      assertThat(conversation.end().status().getDescription()).isEqualTo("Not alice");
    }
  }

  @Test
  void a_handler_that_cannot_be_started_ends_the_call() throws Exception {
    ServerInterceptor failing =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            throw new IllegalStateException("as it was told to");
          }
        };
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 500));
    try (TalkServer server = TalkServer.behind(new RateLimitInterceptor(limiter), failing)) {
      Conversation conversation = server.begin(Talk.UNARY, "a");
      store.answerNext();
      assertThat(conversation.end().code()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(2);
    }
  }

  @Test
  void a_refusal_that_cannot_be_made_ends_the_call() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(twice().cost(3))
            .refusal(
                (request, standard) -> {
                  throw new IllegalStateException("as it was told to");
                })
            .build();
    try (TalkServer server = TalkServer.behind(new RateLimitInterceptor(limiter))) {
      Conversation conversation = server.begin(Talk.UNARY, "a");
      store.answerNext();
      assertThat(conversation.end().code()).isEqualTo(Status.Code.UNKNOWN);
    }
  }

  @Test
  void an_executor_that_takes_no_work_ends_the_call() throws Exception {
    endsTheCall(
        work -> {
          throw new RejectedExecutionException("shut down");
        });
  }

  @Test
  void an_executor_that_has_no_thread_left_ends_the_call() throws Exception {
    endsTheCall(
        work -> {
          throw new OutOfMemoryError("unable to create native thread");
        });
  }

  private void endsTheCall(Executor executor) throws Exception {
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 500));
    RateLimitInterceptor interceptor = new RateLimitInterceptor(limiter).executor(executor);
    try (TalkServer server = TalkServer.behind(interceptor)) {
      Conversation conversation = server.begin(Talk.UNARY, "a");
      store.answerNext();
      assertThat(conversation.end().code()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(server.handled()).isEqualTo(List.of());
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(2);
    }
  }
}
