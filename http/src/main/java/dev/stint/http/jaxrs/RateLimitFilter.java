package dev.stint.http.jaxrs;

import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass to JAX-RS resources as the rules of an {@link HttpLimiter} say.
 *
 * <p>JAX-RS does not know the address at the other end of the socket, so whoever extends this says
 * where it is found:
 *
 * <pre>{@code
 * class Limits extends RateLimitFilter {
 *   @Context HttpServletRequest servlet;
 *
 *   Limits(HttpLimiter limiter) { super(limiter); }
 *
 *   protected String peer(ContainerRequestContext request) { return servlet.getRemoteAddr(); }
 * }
 * }</pre>
 *
 * <p>It runs once the resource is found, so that rules can count by its template. A request that
 * finds none (404, 405 and so on) is decided when its response is made, and counts like any other.
 * What another filter refuses before that counts as finding none; what one answers after that, and
 * before this one, is not counted. Rules by principal need a priority after that of authentication,
 * which the default is. An application may have several filters of this kind, if each is a class of
 * its own; the headers then speak of all.
 *
 * <p>Some implementations do not ask response filters about an exception that no mapper is for: its
 * response has no headers from here, and {@linkplain dev.stint.http.Rule#onlyIf rules that charge
 * only some responses} charge it. A mapper for {@code Throwable} cures that.
 *
 * <p>On servlets the filter for servlets will do as well, unless rules count by template.
 */
public abstract class RateLimitFilter implements ContainerRequestFilter, ContainerResponseFilter {

  private static final String ANSWER = RateLimitFilter.class.getName() + ".answer";
  private static final int FIRST_ERROR = 400;

  private final HttpLimiter limiter;
  private final String own;

  @Context private @Nullable ResourceInfo resource;

  /** A filter that asks this limiter. */
  protected RateLimitFilter(HttpLimiter limiter) {
    if (limiter == null) {
      throw new IllegalArgumentException("limiter must not be null");
    }
    this.limiter = limiter;
    this.own = ANSWER + '@' + Integer.toHexString(System.identityHashCode(this));
  }

  /**
   * The address at the other end of the socket, as text; null if there is none to know. Rules by
   * address then {@linkplain dev.stint.http.MissingKey miss their key}.
   */
  protected abstract @Nullable String peer(ContainerRequestContext request);

  @Override
  public final void filter(ContainerRequestContext request) {
    Refusal refusal = decide(request).refusal().orElse(null);
    if (refusal != null) {
      Response.ResponseBuilder response = Response.status(refusal.status());
      if (!refusal.body().isEmpty()) {
        response.entity(bytes(refusal)).type(refusal.contentType());
      }
      request.abortWith(response.build());
    }
  }

  @Override
  public final void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Answer answer = (Answer) request.getProperty(own);
    if (answer == null && foundNothing(request, response)) {
      answer = decide(request);
      answer.refusal().ifPresent(refusal -> replace(response, refusal));
    }
    if (answer != null && answer.allowed()) {
      answer.finished(response.getStatus());
    }
    // Responses pass the filters in reverse, and the last to be asked knows what all have said.
    Answer last = (Answer) request.getProperty(ANSWER);
    if (last != null) {
      last.headers(response.getHeaders()::putSingle);
    }
  }

  private Answer decide(ContainerRequestContext request) {
    Answer earlier = (Answer) request.getProperty(ANSWER);
    RestCall call = new RestCall(request, peer(request), resource);
    Answer answer = limiter.decide(call, earlier);
    request.setProperty(own, answer);
    request.setProperty(ANSWER, answer);
    return answer;
  }

  /** Whether there was no resource to call, and no other filter of this kind has refused. */
  private boolean foundNothing(ContainerRequestContext request, ContainerResponseContext response) {
    Answer other = (Answer) request.getProperty(ANSWER);
    return response.getStatus() >= FIRST_ERROR
        && (other == null || other.allowed())
        && method(resource) == null;
  }

  /** The method that handles the request; null if there is none, or none yet. */
  static @Nullable Method method(@Nullable ResourceInfo resource) {
    try {
      return resource == null ? null : resource.getResourceMethod();
    } catch (RuntimeException e) {
      return null; // Some implementations throw where others have nothing to tell.
    }
  }

  private static void replace(ContainerResponseContext response, Refusal refusal) {
    response.setStatus(refusal.status());
    response
        .getHeaders()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).startsWith("content-"));
    if (refusal.body().isEmpty()) {
      response.setEntity(null);
    } else {
      MediaType type = MediaType.valueOf(refusal.contentType());
      response.setEntity(bytes(refusal), new Annotation[0], type);
    }
  }

  private static byte[] bytes(Refusal refusal) {
    return refusal.body().getBytes(StandardCharsets.UTF_8);
  }
}
