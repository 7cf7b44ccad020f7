package dev.stint.redis;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.StoreContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** A store with leases holds the contract, but for two rules that read a count to the unit. */
class LeasingContractTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return new Leasing(MemoryStore.builder().time(time).build(), 10);
  }

  /** Left out: what is left in a lease counts as used. */
  @Override
  public Stream<DynamicTest> two_hundred_hits_on_a_key_that_has_just_expired_are_all_counted() {
    return Stream.empty();
  }

  /** Left out, for the same reason. */
  @Override
  public Stream<DynamicTest> units_charged_and_given_back_by_many_leave_nothing() {
    return Stream.empty();
  }
}
