package dev.stint.redis;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** The Redis store holds the contract on a cluster. */
@Tag("cluster")
class ClusterStoreTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return Servers.patient(Servers.cluster().uri(), time);
  }
}
