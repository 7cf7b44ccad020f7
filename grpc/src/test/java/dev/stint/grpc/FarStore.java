package dev.stint.grpc;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A store that answers hits when it is told to, on a thread of its own. */
final class FarStore implements Store {

  static final String THREAD = "far-store";

  private final Store store;
  private final BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();

  FarStore(Store store) {
    this.store = store;
  }

  /** Waits until somebody has asked and not been answered. */
  Runnable question() throws InterruptedException {
    Runnable question = asked.poll(10, TimeUnit.SECONDS);
    if (question == null) {
      throw new AssertionError("nobody asked the store");
    }
    return question;
  }

  static void answer(Runnable question) {
    new Thread(question, THREAD).start();
  }

  void answerNext() throws InterruptedException {
    answer(question());
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT) {
      return store.runAsync(operation, limits);
    }
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    asked.add(() -> answer.complete(run(operation, limits)));
    return answer;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    return store.run(operation, limits);
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    store.prepare(limits);
  }

  @Override
  public long clean() {
    return store.clean();
  }

  @Override
  public TimeSource time() {
    return store.time();
  }

  @Override
  public void close() {
    store.close();
  }
}
