package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications that have no web, a clock to turn, and a store that remembers what it was asked. */
final class MethodApp {

  private MethodApp() {}

  /** One with these beans. */
  static ApplicationContextRunner with(Class<?>... beans) {
    ApplicationContextRunner runner =
        new ApplicationContextRunner()
            .withUserConfiguration(Counting.class)
            .withConfiguration(
                AutoConfigurations.of(StintAutoConfiguration.class, MethodAutoConfiguration.class));
    for (Class<?> bean : beans) {
      runner = runner.withUserConfiguration(bean);
    }
    return runner;
  }

  @Configuration(proxyBeanMethods = false)
  static class Counting {

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }

    @Bean
    WatchedStore store(TimeSource time) {
      return new WatchedStore(MemoryStore.builder().time(time).build());
    }
  }

  /** A store that writes down its questions, and can be told to fail. */
  static final class WatchedStore implements Store {

    final List<List<KeyedLimit>> asked = new ArrayList<>();
    final List<Limit> prepared = new ArrayList<>();
    volatile boolean down;
    private final Store inner;

    WatchedStore(Store inner) {
      this.inner = inner;
    }

    List<String> names() {
      return asked.stream()
          .flatMap(List::stream)
          .map(KeyedLimit::limit)
          .map(Limit::name)
          .distinct()
          .toList();
    }

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      asked.add(limits);
      if (down) {
        throw new StoreException("the store is down");
      }
      return inner.run(operation, limits);
    }

    @Override
    public void prepare(Collection<Limit> limits) {
      prepared.addAll(limits);
      inner.prepare(limits);
    }

    @Override
    public long clean() {
      return inner.clean();
    }

    @Override
    public TimeSource time() {
      return inner.time();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
