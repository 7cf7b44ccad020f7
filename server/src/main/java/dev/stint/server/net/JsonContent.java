package dev.stint.server.net;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Tells whether a body is sent as JSON. A web page of another origin can make a browser send any
 * body, but not this type: for that the browser would ask first, and is never told yes.
 */
public final class JsonContent {

  private static final String JSON = "application/json";

  private JsonContent() {}

  /** Whether the body is sent as {@code application/json}, with parameters or without. */
  public static boolean isSentIn(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null && isJson(type);
  }

  static boolean isJson(String type) {
    if (!type.regionMatches(true, 0, JSON, 0, JSON.length())) {
      return false;
    }
    String rest = type.substring(JSON.length()).strip();
    return rest.isEmpty() || rest.startsWith(";");
  }

  /** What to tell about another body. */
  public static String cure(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return "the body must be sent as application/json, was sent "
        + (type == null ? "without a Content-Type" : "as " + type)
        + "; add the header Content-Type: application/json";
  }
}
