package dev.stint.server.net;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.StoreSettings;
import io.netty.util.internal.PlatformDependent;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How the memory that the process has is divided: what the store needs when it is full, what the
 * service itself needs, and the rest for clients.
 *
 * @param heapMax bytes of heap that the process has
 * @param heap bytes of heap that clients may make the process hold
 * @param direct bytes of direct memory that they may
 */
public record MemoryPlan(long heapMax, long heap, long direct) {

  private static final long MIB = 1 << 20;

  /** A key in memory, the largest case but sliding logs. */
  private static final long KEY = 48;

  /** Sliding logs may take an eighth of the heap, those of limits in requests a tenth of that. */
  private static final double LOGS = 0.1375;

  /** Classes' statics, policies, metrics, the dashboard, and what is garbage soon. */
  private static final long SERVICE = 16 * MIB;

  /** What is left to the collector, which is slow without room. */
  private static final double FOR_CLIENTS = 0.5;

  /** Direct memory is handed out in chunks of some megabytes, not all of which are full. */
  private static final double OF_DIRECT = 0.5;

  /** Java allows as much direct memory as heap unless told otherwise, which nobody counts on. */
  private static final int OF_HEAP = 6;

  /** Fewer clients' bytes than this are no service. */
  private static final long LEAST = 8 * MIB;

  /** The plan for the memory that this process has. */
  public static MemoryPlan of(StoreSettings store) {
    return of(store, Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
  }

  /** The plan for so much memory. */
  public static MemoryPlan of(StoreSettings store, long heapMax, long directMax) {
    return new MemoryPlan(
        heapMax,
        Math.max(LEAST, (long) (free(store, heapMax) * FOR_CLIENTS)),
        Math.max(LEAST, Math.min((long) (directMax * OF_DIRECT), heapMax / OF_HEAP)));
  }

  /** How many connections a listener may have: as many as are configured, if they fit. */
  public int connections(Listener listener, Bounds bounds) {
    long fit = heap / ConnectionCost.least(listener.tls() != null);
    return (int) Math.min(bounds.connections(), fit);
  }

  private static long free(StoreSettings store, long heapMax) {
    long keys = store.maxKeys() + store.requestKeys();
    return heapMax - (long) (heapMax * LOGS) - SERVICE - keys * KEY;
  }

  /** Why the store cannot have as many keys as it is told to, with the number that would fit. */
  public static Optional<String> trouble(StoreSettings store) {
    return trouble(store, Runtime.getRuntime().maxMemory());
  }

  static Optional<String> trouble(StoreSettings store, long heapMax) {
    long spare = (long) (LEAST / FOR_CLIENTS);
    if (free(store, heapMax) >= spare) {
      return Optional.empty();
    }
    long keys = store.maxKeys() + store.requestKeys();
    long fit = Math.max(0, (free(store, heapMax) - spare) / KEY + keys);
    long maxKeys = (long) ((double) fit * store.maxKeys() / keys);
    return Optional.of(
        "store.max-keys must fit into the heap of "
            + heapMax / MIB
            + " MB, where at most "
            + round(maxKeys)
            + " do, was "
            + store.maxKeys()
            + "; lower it, or give Java more heap with JDK_JAVA_OPTIONS=-Xmx...");
  }

  private static long round(long keys) {
    long unit = keys >= 100_000 ? 10_000 : keys >= 1_000 ? 1_000 : 1;
    return keys / unit * unit;
  }

  /** That fewer connections fit than are configured; empty if all do. */
  public Optional<String> lowered(Listeners listeners, Bounds bounds) {
    String lower =
        listeners.byWire().entrySet().stream()
            .filter(wire -> wire.getValue().isOn())
            .filter(wire -> connections(wire.getValue(), bounds) < bounds.connections())
            .map(wire -> connections(wire.getValue(), bounds) + " on " + wire.getKey())
            .collect(Collectors.joining(", "));
    return lower.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "bounds.connections is lowered from "
                + bounds.connections()
                + " to "
                + lower
                + ", because more would not fit into the "
                + heap / MIB
                + " MB that clients may use of a heap of "
                + heapMax / MIB
                + " MB; give Java more heap for more connections");
  }

  /** A budget by this plan. */
  public ByteBudget budget(Bounds bounds, CoarseClock clock) {
    long largest = 3L * bounds.body() + Head.most(bounds.headers());
    return new ByteBudget(heap, direct, largest, clock, clock::advance);
  }
}
