package dev.stint.server.http;

import dev.stint.Decision;
import dev.stint.server.net.LargeRequestWorker;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A large batch in progress, or any on a store that is elsewhere. The {@link LargeRequestWorker}
 * reads, decides and writes it in pieces, between which the batches of other connections have their
 * turn. The event loop only counts what the batch holds, and sends the answer. Nothing is decided
 * before all of it was read, since a body that is no batch must charge nothing.
 *
 * <p>On a store that is elsewhere, one piece is under way at a time, through the {@link
 * BatchWindow}. A batch whose client has gone is not continued, and nothing of it is kept.
 */
final class BatchRun {

  /** Checks that are read or decided in one piece: some hundred microseconds. */
  private static final int PIECE = 64;

  /** Checks that are under way to the store at once. */
  private static final int SENT_TOGETHER = 32;

  private final Batches shared;

  /** Stands for the connection, which itself must not be kept in memory when it is gone. */
  private final Object connection;

  /** Null once it is answered, or its client has gone. */
  private volatile @Nullable Content content;

  /** A batch and its answer. The event loop and the worker have it in turns. */
  private static final class Content {
    private final Exchange exchange;
    private final AskReader.Batch batch;
    private final BatchJson out;

    Content(Exchange exchange, AskReader.Batch batch, BatchJson out) {
      this.exchange = exchange;
      this.batch = batch;
      this.out = out;
    }

    List<Ask> asks() {
      return batch.asks();
    }

    Ask next() {
      return asks().get(out.size());
    }

    boolean isComplete() {
      return out.size() == asks().size();
    }
  }

  BatchRun(Batches shared, Object connection) {
    this.shared = shared;
    this.connection = connection;
  }

  /** Hands a batch to the worker. */
  void begin(Exchange exchange, AskReader.Batch batch) {
    content = new Content(exchange, batch, new BatchJson(shared.workerJson(), new JsonBytes()));
    exchange.whenClosed(() -> content = null);
    onWorker(this::read);
  }

  // ---- two threads -----------------------------------------------------------------------------

  private void onWorker(Consumer<Content> step) {
    shared.worker().later(connection, () -> run(step));
  }

  private void onLoop(Consumer<Content> step) {
    shared.loop().runOnContext(go -> run(step));
  }

  private void run(Consumer<Content> step) {
    Content current = content;
    if (current == null) {
      return;
    }
    try {
      step.accept(current);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      onLoop(failed -> fail(failed.exchange, e));
    }
  }

  private void fail(Exchange exchange, Throwable failure) {
    content = null;
    if (failure instanceof Refused refused) {
      exchange.refuse(refused.problem());
    } else {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
      Operations.fail(exchange, cause == null ? failure : cause);
    }
  }

  // ---- reading ---------------------------------------------------------------------------------

  private void read(Content current) {
    if (current.batch.read(PIECE)) {
      onLoop(this::hold);
    } else {
      onWorker(this::read);
    }
  }

  /** The event loop counts what is held, since connections belong to it. */
  private void hold(Content current) {
    Batches.hold(current.exchange, current.asks());
    onWorker(this::start);
  }

  private void start(Content current) {
    current.out.expect(current.asks());
    if (shared.engine().isLocal()) {
      decide(current);
    } else {
      send(current);
    }
  }

  // ---- in this process -------------------------------------------------------------------------

  private void decide(Content current) {
    for (int i = 0; i < PIECE && !current.isComplete(); i++) {
      current.out.decide(shared.engine(), current.next());
    }
    if (current.isComplete()) {
      finish(current);
    } else {
      onWorker(this::decide);
    }
  }

  // ---- elsewhere -------------------------------------------------------------------------------

  private void send(Content current) {
    if (current.isComplete()) {
      finish(current);
    } else {
      shared.window().enter(connection, this::sendPiece);
    }
  }

  private void sendPiece() {
    Content current = content;
    if (current == null) {
      shared.window().leave();
      return;
    }
    int from = current.out.size();
    int to = Math.min(current.asks().size(), from + SENT_TOGETHER);
    List<CompletableFuture<@Nullable Decision>> sent = new ArrayList<>(to - from);
    for (Ask ask : current.asks().subList(from, to)) {
      sent.add(askLater(ask));
    }
    CompletableFuture<Void> unused =
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
            .whenComplete(
                (all, failure) -> shared.worker().later(connection, () -> received(sent)));
  }

  private CompletableFuture<@Nullable Decision> askLater(Ask ask) {
    if (ask.problem() != null) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return shared
          .engine()
          .askAsync(ask.operation(), ask.policy(), ask.key(), ask.units())
          .<@Nullable Decision>thenApply(decision -> decision)
          .toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void received(List<CompletableFuture<@Nullable Decision>> sent) {
    shared.window().leave();
    run(
        current -> {
          for (CompletableFuture<@Nullable Decision> one : sent) {
            current.out.add(current.next(), one.join());
          }
          send(current);
        });
  }

  // ---- the answer ------------------------------------------------------------------------------

  private void finish(Content current) {
    Buffer answer = current.out.end().takeBuffer();
    onLoop(
        done -> {
          content = null;
          done.exchange.answer(answer);
        });
  }
}
