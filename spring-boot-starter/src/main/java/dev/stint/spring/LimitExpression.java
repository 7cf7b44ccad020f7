package dev.stint.spring;

import dev.stint.Limit;
import dev.stint.http.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;

/**
 * Limits that an expression finds for a request: rates, {@link Limit}s, several of them, or a
 * future or reactive type that brings them.
 */
final class LimitExpression {

  /** What no rate has. */
  private static final Pattern EXPRESSION = Pattern.compile("[@#('\"?{\\[]");

  private static final int MOST_KNOWN = 256;

  private final RequestExpression expression;
  private final Map<String, List<Limit>> known = new ConcurrentHashMap<>();

  LimitExpression(RequestExpression expression) {
    this.expression = expression;
  }

  /** Whether a text is an expression, and not a list of rates. */
  static boolean isOne(String text) {
    return EXPRESSION.matcher(text).find();
  }

  CompletionStage<List<Limit>> of(Request request) {
    return later(expression.of(request)).thenApply(this::limits);
  }

  private static CompletionStage<?> later(@Nullable Object value) {
    if (value instanceof CompletionStage<?> stage) {
      return stage;
    }
    ReactiveAdapterRegistry registry = ReactiveAdapterRegistry.getSharedInstance();
    ReactiveAdapter adapter =
        value == null || !registry.hasAdapters() ? null : registry.getAdapter(null, value);
    return adapter == null
        ? CompletableFuture.completedFuture(value)
        : Reactive.later(adapter, value);
  }

  /** Where Reactor is there. */
  private static final class Reactive {

    static CompletionStage<?> later(ReactiveAdapter adapter, @Nullable Object value) {
      return Flux.from(adapter.toPublisher(value)).collectList().toFuture();
    }
  }

  private List<Limit> limits(@Nullable Object value) {
    if (value instanceof Limit limit) {
      return List.of(limit);
    }
    if (value instanceof CharSequence rates) {
      return parsed(rates.toString());
    }
    if (value == null) {
      return List.of();
    }
    if (value instanceof Optional<?> optional) {
      return limits(optional.orElse(null));
    }
    if (value instanceof Collection<?> several) {
      List<Limit> all = new ArrayList<>();
      several.forEach(one -> all.addAll(limits(one)));
      return all;
    }
    if (value instanceof Object[] several) {
      return limits(Arrays.asList(several));
    }
    throw new IllegalArgumentException(
        "an expression must give a rate such as 100/min, a Limit, or several of them: "
            + value.getClass().getName());
  }

  private List<Limit> parsed(String rates) {
    List<Limit> limits = known.get(rates);
    if (limits == null) {
      limits = Limit.parseAll(rates);
      if (known.size() < MOST_KNOWN) {
        known.put(rates, limits);
      }
    }
    return limits;
  }

  @Override
  public String toString() {
    return expression.toString();
  }
}
