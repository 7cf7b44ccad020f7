package dev.stint.server.http;

import static dev.stint.server.http.JsonBytes.ascii;

import dev.stint.Decision;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.FairTurns;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A batch in progress: it is read, decided and written in pieces, and between them the other
 * connections of the event loop have their turn. Nothing is decided before all of it was read,
 * since a body that is no batch must charge nothing.
 *
 * <p>On a store that is elsewhere, one piece is under way at a time, through the {@link
 * BatchWindow}. A batch whose client has gone is not continued.
 */
final class BatchRun {

  /** Checks that are read, decided or written in one piece: some hundred microseconds. */
  private static final int PIECE = 64;

  /** Checks that are under way to the store at once. */
  private static final int SENT_TOGETHER = 32;

  /** Of a body: its bytes, and the keys that were read from them. */
  private static final int COPIES = 2;

  private static final int BYTES_OF_CHECK = 512;
  private static final int BYTES_OF_LIMIT = 384;

  private static final byte[] RESULTS = ascii("{\"results\":[");
  private static final byte[] STATUS = ascii("{\"status\":");
  private static final byte[] DETAIL = ascii(",\"detail\":");
  private static final byte[] END_OF_RESULTS = ascii("]}");
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  private final Engine engine;
  private final DecisionJson json;
  private final FairTurns turns;
  private final BatchWindow window;
  private final Context loop;
  private final Exchange exchange;
  private final Object connection;

  private final List<@Nullable Decision> decisions = new ArrayList<>();
  private @Nullable JsonBytes out;
  private int written;

  BatchRun(
      Engine engine,
      DecisionJson json,
      FairTurns turns,
      BatchWindow window,
      Context loop,
      Exchange exchange) {
    this.engine = engine;
    this.json = json;
    this.turns = turns;
    this.window = window;
    this.loop = loop;
    this.exchange = exchange;
    this.connection = exchange.request().connection();
  }

  /**
   * Begins to read a batch.
   *
   * @param bytes of the body
   */
  void begin(AskReader.Batch batch, int bytes) {
    step(
        () -> {
          hold(COPIES * (long) bytes);
          read(batch, PIECE);
        });
  }

  /** Many batches may be in progress, so what they hold counts. */
  private void hold(long bytes) {
    if (!exchange.reserve(bytes)) {
      throw new Refused(Bodies.tooMany());
    }
  }

  private void step(Runnable step) {
    if (exchange.isOver()) {
      return;
    }
    try {
      step.run();
    } catch (Refused e) {
      exchange.refuse(e.problem());
    } catch (CompletionException e) {
      Operations.fail(exchange, e.getCause() == null ? e : e.getCause());
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      Operations.fail(exchange, e);
    }
  }

  private void later(Runnable step) {
    turns.later(connection, () -> step(step));
  }

  private void read(AskReader.Batch batch, int most) {
    int before = batch.asks().size();
    if (!batch.read(most)) {
      later(() -> read(batch, PIECE));
      return;
    }
    List<Ask> asks = batch.asks();
    hold(sizeOf(asks));
    int left = most - (asks.size() - before);
    if (engine.isLocal()) {
      decide(asks, left);
    } else {
      send(asks);
    }
  }

  /** About how much a batch takes until it is answered, its answer included. */
  private static long sizeOf(List<Ask> asks) {
    long size = 0;
    for (Ask ask : asks) {
      size += BYTES_OF_CHECK + (long) BYTES_OF_LIMIT * ask.limits();
    }
    return size;
  }

  // ---- in this process -------------------------------------------------------------------------

  private void decide(List<Ask> asks, int most) {
    int end = Math.min(asks.size(), decisions.size() + most);
    for (int i = decisions.size(); i < end; i++) {
      Ask ask = asks.get(i);
      decisions.add(
          ask.problem() == null
              ? engine.ask(ask.operation(), ask.policy(), ask.key(), ask.units())
              : null);
    }
    if (end < asks.size()) {
      later(() -> decide(asks, PIECE));
    } else {
      write(asks, Math.max(1, PIECE - asks.size()));
    }
  }

  // ---- elsewhere -------------------------------------------------------------------------------

  private void send(List<Ask> asks) {
    if (decisions.size() == asks.size()) {
      write(asks, PIECE);
      return;
    }
    window.enter(connection, () -> sendPiece(asks));
  }

  private void sendPiece(List<Ask> asks) {
    if (exchange.isOver()) {
      window.leave();
      return;
    }
    int from = decisions.size();
    int to = Math.min(asks.size(), from + SENT_TOGETHER);
    List<CompletableFuture<@Nullable Decision>> sent = new ArrayList<>(to - from);
    for (Ask ask : asks.subList(from, to)) {
      sent.add(later(ask));
    }
    CompletableFuture<Void> unused =
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
            .whenComplete(
                (all, failure) ->
                    loop.runOnContext(
                        answered -> {
                          window.leave();
                          turns.run(connection, () -> step(() -> received(asks, sent)));
                        }));
  }

  private CompletableFuture<@Nullable Decision> later(Ask ask) {
    if (ask.problem() != null) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return engine
          .askAsync(ask.operation(), ask.policy(), ask.key(), ask.units())
          .<@Nullable Decision>thenApply(decision -> decision)
          .toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void received(List<Ask> asks, List<CompletableFuture<@Nullable Decision>> sent) {
    for (CompletableFuture<@Nullable Decision> one : sent) {
      decisions.add(one.join());
    }
    send(asks);
  }

  // ---- the answer ------------------------------------------------------------------------------

  private void write(List<Ask> asks, int most) {
    JsonBytes results = out;
    if (results == null) { // of its own: others are written between the pieces
      results = new JsonBytes();
      out = results;
      results.raw(RESULTS);
    }
    int end = Math.min(asks.size(), written + most);
    for (; written < end; written++) {
      if (written > 0) {
        results.raw(',');
      }
      write(results, asks.get(written), decisions.get(written));
    }
    if (written < asks.size()) {
      later(() -> write(asks, PIECE));
    } else {
      exchange.answer(OK, results.raw(END_OF_RESULTS));
    }
  }

  private void write(JsonBytes results, Ask ask, @Nullable Decision decision) {
    results.raw(STATUS);
    if (decision == null) {
      results.number(BAD_REQUEST).raw(DETAIL).text(String.valueOf(ask.problem()));
    } else {
      results.number(Operations.status(ask.policy(), decision)).raw(',');
      json.decision(results, ask.policy(), ask.key(), decision);
    }
    results.raw('}');
  }
}
