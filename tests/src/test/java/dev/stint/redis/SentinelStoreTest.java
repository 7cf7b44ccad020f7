package dev.stint.redis;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.testkit.StoreContract;
import org.junit.jupiter.api.Tag;

/** The Redis store holds the contract on the master that the sentinels name. */
@Tag("sentinel")
class SentinelStoreTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return Servers.patient(Servers.sentinels().uri(), time);
  }
}
