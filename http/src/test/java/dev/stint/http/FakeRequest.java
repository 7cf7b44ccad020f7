package dev.stint.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request made of nothing but words. */
final class FakeRequest extends Request {

  private final String method;
  private final String path;
  private final Map<String, List<String>> headers = new TreeMap<>();
  private @Nullable String query;
  private @Nullable String peer = "203.0.113.9";
  private @Nullable String principal;
  private @Nullable String template;

  FakeRequest(String method, String path) {
    this.method = method;
    this.path = path;
  }

  static FakeRequest get(String path) {
    return new FakeRequest("GET", path);
  }

  FakeRequest query(String query) {
    this.query = query;
    return this;
  }

  FakeRequest header(String name, String line) {
    headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>()).add(line);
    return this;
  }

  FakeRequest from(@Nullable String peer) {
    this.peer = peer;
    return this;
  }

  FakeRequest as(String principal) {
    this.principal = principal;
    return this;
  }

  FakeRequest template(String template) {
    this.template = template;
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public @Nullable String query() {
    return query;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public @Nullable String peer() {
    return peer;
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  @Override
  protected @Nullable String template() {
    return template;
  }
}
