package dev.stint.server.http;

import dev.stint.server.engine.Engine;
import dev.stint.server.net.LargeRequestWorker;
import io.vertx.core.Context;
import java.util.List;

/**
 * Answers the batches of one event loop: small ones at once if the store is in this process, all
 * others as {@link BatchRun}s.
 */
final class Batches {

  /** A body of so many bytes is answered within some hundred microseconds. */
  private static final int SMALL = 2 << 10;

  /** Of a body: its bytes, and the keys that were read from them. */
  private static final int COPIES = 2;

  private static final int BYTES_OF_CHECK = 512;
  private static final int BYTES_OF_LIMIT = 384;

  private final Engine engine;
  private final LargeRequestWorker worker;
  private final Context loop;
  private final BatchWindow window;
  private final DecisionJson json;
  private final DecisionJson workerJson = new DecisionJson();

  Batches(Engine engine, LargeRequestWorker worker, Context loop, DecisionJson json) {
    this.engine = engine;
    this.worker = worker;
    this.loop = loop;
    this.window = new BatchWindow(worker);
    this.json = json;
  }

  /**
   * Answers a batch, now or later.
   *
   * @param bytes of the body
   * @throws Refused if there is no room for it, or it is no batch
   */
  void answer(Exchange exchange, AskReader.Batch batch, int bytes) {
    if (exchange.isOver()) {
      return; // gone while it waited for its turn
    }
    hold(exchange, bytes);
    if (bytes > SMALL || !engine.isLocal()) {
      new BatchRun(this, exchange.connectionKey()).begin(exchange, batch);
      return;
    }
    boolean isRead = batch.read(Integer.MAX_VALUE);
    assert isRead : "a batch of some kilobytes has fewer checks than that";
    hold(exchange, batch.asks());
    BatchJson out = new BatchJson(json, exchange.json());
    for (Ask ask : batch.asks()) {
      out.decide(engine, ask);
    }
    exchange.answer(out.end().toBuffer());
  }

  /**
   * Counts a body that is decided later: its bytes, and what is read from them.
   *
   * @throws Refused if there is no room for it
   */
  static void hold(Exchange exchange, int bytes) {
    hold(exchange, COPIES * (long) bytes);
  }

  /** Counts about how much a batch takes until it is answered, its answer included. */
  static void hold(Exchange exchange, List<Ask> asks) {
    long size = 0;
    for (Ask ask : asks) {
      size += BYTES_OF_CHECK + (long) BYTES_OF_LIMIT * ask.limits();
    }
    hold(exchange, size);
  }

  /** Many batches may be in progress, so what they hold counts. */
  private static void hold(Exchange exchange, long bytes) {
    if (!exchange.reserve(bytes)) {
      throw new Refused(Bodies.tooMany());
    }
  }

  Engine engine() {
    return engine;
  }

  LargeRequestWorker worker() {
    return worker;
  }

  Context loop() {
    return loop;
  }

  /** What may be under way to the store. It belongs to the worker. */
  BatchWindow window() {
    return window;
  }

  /** Texts of decisions. It belongs to the worker. */
  DecisionJson workerJson() {
    return workerJson;
  }
}
