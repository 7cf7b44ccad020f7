package dev.stint.spring.method;

import dev.stint.http.KeySource;
import dev.stint.http.Request;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whom the calls of a method are counted for. */
sealed interface CallKey {

  /** The word for one budget that all callers share. */
  String ALL = "all";

  /** The key of a call; null if it has none and is counted with all others that have none. */
  @Nullable String of(MethodCall call);

  /** Whether {@code typed} can be a key of this kind. */
  boolean accepts(String typed);

  /** The key that is typed so, if this {@linkplain #accepts accepts} it. */
  @Nullable String textOf(String typed);

  /** What the annotation says, or would say if it said what applies without it. */
  String words();

  /** All calls share one budget. */
  record Shared() implements CallKey {

    @Override
    public @Nullable String of(MethodCall call) {
      return null;
    }

    @Override
    public boolean accepts(String typed) {
      return typed.equals(ALL);
    }

    @Override
    public @Nullable String textOf(String typed) {
      return null;
    }

    @Override
    public String words() {
      return ALL;
    }
  }

  /** An expression over the arguments. All have one kind: methods of one name share budgets. */
  record OfArguments(String words, CallExpression expression) implements CallKey {

    /** In front of every key, as key sources of requests have it. */
    private static final String KIND = "custom:argument:";

    @Override
    public @Nullable String of(MethodCall call) {
      String text = KeyText.of(expression.of(call));
      return text == null || text.isEmpty() ? null : textOf(text);
    }

    @Override
    public boolean accepts(String typed) {
      return true;
    }

    @Override
    public String textOf(String typed) {
      return KIND + typed;
    }
  }

  /** What tells clients apart, in the words of rules, of the web request that a call is for. */
  record OfRequest(String words, Supplier<KeySource> source, WebRequests requests)
      implements CallKey {

    @Override
    public @Nullable String of(MethodCall call) {
      Request request = call.request();
      return request == null ? null : requests.key(request, source.get());
    }

    @Override
    public boolean accepts(String typed) {
      return true;
    }

    @Override
    public String textOf(String typed) {
      return source.get().textOf(typed);
    }
  }
}
