package dev.stint.spring.gateway;

import dev.stint.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of which a route's key resolver has told the key, and nothing else is known. */
final class RoutedRequest extends Request {

  private final @Nullable String key;

  RoutedRequest(@Nullable String key) {
    this.key = key;
  }

  @Nullable String routeKey() {
    return key;
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public String path() {
    return "/";
  }

  @Override
  public @Nullable String query() {
    return null;
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public @Nullable String peer() {
    return null;
  }
}
