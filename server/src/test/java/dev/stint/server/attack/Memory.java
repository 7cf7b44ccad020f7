package dev.stint.server.attack;

/**
 * Memory of a process, in bytes.
 *
 * @param heap what is reachable on the heap, after a collection
 * @param direct what Netty holds outside of the heap
 * @param resident what the operating system counts
 */
record Memory(long heap, long direct, long resident) {

  static final long MIB = 1 << 20;

  @Override
  public String toString() {
    return "heap %d MiB, direct %d MiB, resident %d MiB"
        .formatted(heap / MIB, direct / MIB, resident / MIB);
  }
}
