package dev.stint.spring.method;

import dev.stint.http.KeySource;
import dev.stint.http.Request;
import dev.stint.spring.HttpLimiters;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** What limited methods can know of web requests in this application. No bean is made for it. */
final class WebRequests {

  private final ConfigurableListableBeanFactory beans;
  private final Supplier<HttpLimiters> limiters;
  private final SingletonSupplier<Boolean> web;
  private final SingletonSupplier<Boolean> reactive;
  private final SingletonSupplier<CurrentRequest> current;

  WebRequests(ConfigurableListableBeanFactory beans, Supplier<HttpLimiters> limiters) {
    this.beans = beans;
    this.limiters = limiters;
    web = SingletonSupplier.of(() -> has(CurrentRequest.class));
    reactive = SingletonSupplier.of(() -> CallShape.REACTOR_PRESENT && has(ReactiveRequest.class));
    current = SingletonSupplier.of(() -> beans.getBean(CurrentRequest.class));
  }

  private boolean has(Class<?> type) {
    return beans.getBeanNamesForType(type, true, false).length > 0;
  }

  /** Whether there are requests at all. */
  boolean arePresent() {
    return web.obtain();
  }

  /** Whether they are those of WebFlux. */
  boolean areReactive() {
    return reactive.obtain();
  }

  CurrentRequest current() {
    return current.obtain();
  }

  HttpLimiters limiters() {
    return limiters.get();
  }

  /** The key of a request, read by the application's trusted proxies and tenant, as for rules. */
  @Nullable String key(Request request, KeySource source) {
    return limiters.get().beforeAuthentication().keyOf(request, source);
  }

  /** The bean of this name, as in {@code stint.rules.*.by}; null if there is none. */
  @Nullable Supplier<KeySource> named(String name) {
    return beans.containsBean(name) && beans.isTypeMatch(name, KeySource.class)
        ? SingletonSupplier.of(() -> beans.getBean(name, KeySource.class))
        : null;
  }
}
