package dev.stint.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run of slots, the port of its master, and those of its replicas in order. */
record ClusterShard(int first, int last, int master, List<Integer> replicas) {
  int size() {
    return last - first + 1;
  }

  /** Asks a node for all shards it knows, in the order of their slots. */
  static List<ClusterShard> seenBy(RedisServer node) {
    List<ClusterShard> shards = new ArrayList<>();
    try (Resp resp = node.resp()) {
      for (Object row : resp.list("CLUSTER", "SLOTS")) shards.add(read(list(row)));
    }
    shards.sort(Comparator.comparingInt(ClusterShard::first));
    return shards;
  }

  private static ClusterShard read(List<?> row) {
    List<Integer> ports = new ArrayList<>();
    for (Object server : row.subList(2, row.size())) ports.add(number(list(server).get(1)));
    List<Integer> replicas = ports.subList(1, ports.size());
    Collections.sort(replicas);
    return new ClusterShard(
        number(row.get(0)), number(row.get(1)), ports.get(0), List.copyOf(replicas));
  }

  private static List<?> list(@Nullable Object reply) {
    return (List<?>) Objects.requireNonNull(reply);
  }

  private static int number(@Nullable Object reply) {
    return ((Long) Objects.requireNonNull(reply)).intValue();
  }
}
