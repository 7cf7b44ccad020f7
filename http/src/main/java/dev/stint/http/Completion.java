package dev.stint.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, for {@linkplain Rule#chargeIf rules that charge only some}: the status of
 * the response, and what was noted on the request while it was handled.
 *
 * <p>A status does not tell everything: a failed login by a form is answered with a redirect, as a
 * successful one is. Code that knows more sets an attribute of the request, and the rule reads it
 * here.
 */
public final class Completion {

  /**
   * The attribute that says that somebody failed to authenticate: set it to {@code true} on the
   * request. With Spring Security in front of servlets, its events do.
   */
  public static final String AUTHENTICATION_FAILED = "dev.stint.http.authenticationFailed";

  private final int status;
  private final Function<String, @Nullable Object> attributes;

  private Completion(int status, Function<String, @Nullable Object> attributes) {
    this.status = status;
    this.attributes = attributes;
  }

  /** A response with this status, and no attributes. */
  public static Completion of(int status) {
    return new Completion(status, name -> null);
  }

  /** A response with this status to a request with these attributes. */
  public static Completion of(int status, Function<String, @Nullable Object> attributes) {
    if (attributes == null) {
      throw new IllegalArgumentException("attributes must not be null");
    }
    return new Completion(status, attributes);
  }

  /** The status of the response. */
  public int status() {
    return status;
  }

  /** An attribute of the request; null if it is not set. */
  public @Nullable Object attribute(String name) {
    return attributes.apply(name);
  }

  /** Whether {@link #AUTHENTICATION_FAILED} was set. */
  public boolean authenticationFailed() {
    return Boolean.TRUE.equals(attribute(AUTHENTICATION_FAILED));
  }
}
