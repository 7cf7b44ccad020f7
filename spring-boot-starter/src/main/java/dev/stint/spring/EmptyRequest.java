package dev.stint.spring;

import dev.stint.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that says nothing, on which settings are tried out at the start. */
final class EmptyRequest extends Request {

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
