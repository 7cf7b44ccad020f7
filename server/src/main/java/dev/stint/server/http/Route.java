package dev.stint.server.http;

import static dev.stint.server.config.Permission.CHANGE;
import static dev.stint.server.config.Permission.DECIDE;

import dev.stint.server.config.Permission;
import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked over HTTP. {@code openapi.json} has the same list. */
enum Route {
  WELCOME(false, "/", null),
  HEALTH(false, "/health", null),
  READY(false, "/ready", null),
  OPENAPI(false, "/openapi.json", null),
  CHECK(false, "/check", DECIDE),
  STATE(false, "/v1/keys/{policy}/{key}", DECIDE),
  HIT(true, "/v1/hit", DECIDE),
  PEEK(true, "/v1/peek", DECIDE),
  INC(true, "/v1/inc", CHANGE),
  REFUND(true, "/v1/refund", CHANGE),
  SET(true, "/v1/set", CHANGE),
  RESET(true, "/v1/reset", CHANGE),
  BATCH(true, "/v1/batch", DECIDE),
  /** Its body says what it needs: a hit is decided, a negative one changes counts. */
  ENVOY(true, "/json", null);

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
  private final @Nullable Permission needs;

  Route(boolean takesBody, String path, @Nullable Permission needs) {
    this.takesBody = takesBody;
    this.path = path;
    this.needs = needs;
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

  /** What a client must be allowed to do; null for nothing, or if the body says so. */
  @Nullable Permission needs() {
    return needs;
  }

  /** Whether it charges, changes or tells counts, which is not for web pages of other origins. */
  boolean isRefusedToPages() {
    return needs != null || takesBody;
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
