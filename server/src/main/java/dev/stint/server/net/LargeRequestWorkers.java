package dev.stint.server.net;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers of a service, which all wires share. There are half as many as processors: however
 * many large requests there are, the other half is left to everything else.
 */
public final class LargeRequestWorkers {

  private final List<LargeRequestWorker> workers = new ArrayList<>();
  private final AtomicInteger given = new AtomicInteger();

  /** Workers for a machine with so many processors. */
  public LargeRequestWorkers(int processors) {
    for (int i = 0; i < Math.max(1, processors / 2); i++) {
      workers.add(new LargeRequestWorker());
    }
  }

  /** A worker for an event loop; several may share one. */
  public LargeRequestWorker next() {
    return workers.get(Math.floorMod(given.getAndIncrement(), workers.size()));
  }
}
