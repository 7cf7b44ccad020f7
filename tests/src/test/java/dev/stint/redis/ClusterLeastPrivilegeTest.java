package dev.stint.redis;

import dev.stint.StoreException;
import dev.stint.lab.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a cluster's user must be allowed: what one server's needs, and to find the servers. */
@Tag("cluster")
@ExtendWith(QuietLettuce.class)
class ClusterLeastPrivilegeTest {

  @Test
  void a_cluster_needs_one_command_more() {
    try (RedisCluster cluster = RedisCluster.start()) {
      String uri = cluster.uri().replace("://", "://limiter:secret@");
      List<String> all = new ArrayList<>(LeastPrivilegeTest.COMMANDS);
      all.add("+cluster|nodes");
      cluster.nodes().forEach(node -> LeastPrivilegeTest.allow(node, all));
      try (RedisStore store = Servers.patient(uri)) {
        LeastPrivilegeTest.doEverything(store);
        cluster.failover(cluster.masters().get(0));
        Eventually.within(
            Duration.ofSeconds(10), "everything on the new master", () -> doesEverything(store));
      }
      cluster.nodes().forEach(node -> LeastPrivilegeTest.allow(node, LeastPrivilegeTest.COMMANDS));
      LeastPrivilegeTest.assertIsRefused(uri, "stint:");
    }
  }

  /** For a moment the way to the new master is not there yet; a missing privilege would last. */
  private static boolean doesEverything(RedisStore store) {
    try {
      LeastPrivilegeTest.doEverything(store);
      return true;
    } catch (StoreException | AssertionError e) {
      if (!String.valueOf(e.getMessage()).contains("not connected")) {
        throw e;
      }
      return false;
    }
  }
}
