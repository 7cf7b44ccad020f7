package dev.stint.contract;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.StoreContract;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The memory store holds the contract for virtual threads too. */
@Tag("nightly")
@EnabledForJreRange(min = JRE.JAVA_21)
class MemoryStoreOnVirtualThreadsTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return MemoryStore.builder().time(time).build();
  }

  @Override
  protected ExecutorService threads() {
    try {
      // By its name, since this class is compiled for Java 17.
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK must have virtual threads", e);
    }
  }
}
