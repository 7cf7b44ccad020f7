package dev.stint.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked over HTTP. {@code openapi.json} has the same list. */
enum Route {
  WELCOME(false, "/"),
  HEALTH(false, "/health"),
  READY(false, "/ready"),
  OPENAPI(false, "/openapi.json"),
  CHECK(false, "/check"),
  STATE(false, "/v1/keys/{policy}/{key}"),
  HIT(true, "/v1/hit"),
  PEEK(true, "/v1/peek"),
  INC(true, "/v1/inc"),
  REFUND(true, "/v1/refund"),
  SET(true, "/v1/set"),
  RESET(true, "/v1/reset"),
  BATCH(true, "/v1/batch"),
  ENVOY(true, "/json");

  /** What the paths of all keys begin with. */
  static final String KEYS = "/v1/keys/";

  private static final Map<String, Route> BY_PATH = new HashMap<>();
  private static final List<String> PATHS;

  static {
    for (Route route : values()) {
      BY_PATH.put(route.path, route);
    }
    PATHS = List.copyOf(BY_PATH.keySet());
  }

  private final boolean takesBody;
  private final String path;

  Route(boolean takesBody, String path) {
    this.takesBody = takesBody;
    this.path = path;
  }

  /** The route for a path, by whatever method; null if there is none. */
  static @Nullable Route of(@Nullable String path) {
    if (path == null) {
      return null;
    }
    Route route = BY_PATH.get(path);
    return route == null && path.startsWith(KEYS) ? STATE : route;
  }

  /** All paths, to find the one that was meant. */
  static List<String> paths() {
    return PATHS;
  }

  /** The path as a template. */
  String path() {
    return path;
  }

  HttpMethod method() {
    return takesBody ? HttpMethod.POST : HttpMethod.GET;
  }

  /** Whether it tells no more than that somebody is there, so that nobody needs a token. */
  boolean isOpen() {
    return this == HEALTH || this == READY;
  }

  boolean takesBody() {
    return takesBody;
  }

  /** Whether it may be asked so. A check is charged, so a mere HEAD, which is free, is none. */
  boolean allows(HttpMethod asked) {
    return asked.equals(method()) || (asked.equals(HttpMethod.HEAD) && allowsHead());
  }

  private boolean allowsHead() {
    return !takesBody && this != CHECK;
  }

  /** The value of {@code Allow}. */
  String allowed() {
    return allowsHead() ? "GET, HEAD" : method().name();
  }
}
