package dev.stint.server.ordeal;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;

/** How much memory is held. */
final class Heap {

  static final long MIB = 1 << 20;

  private Heap() {}

  /** Bytes that are held on the heap and by the network's buffers beside it. */
  static long held() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        + PlatformDependent.usedDirectMemory();
  }
}
