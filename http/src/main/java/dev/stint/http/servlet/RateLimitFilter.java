package dev.stint.http.servlet;

import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass to servlets as the rules of an {@link HttpLimiter} say.
 *
 * <p>A request is charged once, whatever it is dispatched to afterwards: forwards, includes, errors
 * and asynchronous dispatches of the same request pass without being counted again. Several filters
 * of this kind may follow one another, each with its own limiter; the headers then speak of all.
 */
public final class RateLimitFilter implements Filter {

  private static final String PASSED = RateLimitFilter.class.getName() + ".passed";

  /** The filters of this kind that a request has passed, the last first, and what they answered. */
  private record Passed(RateLimitFilter filter, Answer answer, @Nullable Passed before) {

    boolean has(RateLimitFilter asked) {
      return filter == asked || (before != null && before.has(asked));
    }
  }

  private final HttpLimiter limiter;

  /** A filter that asks this limiter. */
  public RateLimitFilter(HttpLimiter limiter) {
    if (limiter == null) {
      throw new IllegalArgumentException("limiter must not be null");
    }
    this.limiter = limiter;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    // In a forward between two applications it may be another's, of another class loader.
    Passed passed = request.getAttribute(PASSED) instanceof Passed known ? known : null;
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answered
        && (passed == null || !passed.has(this))) {
      doFilter(http, answered, chain, passed);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void doFilter(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      @Nullable Passed passed)
      throws IOException, ServletException {
    Answer answer = limiter.decide(new ServletCall(request), passed == null ? null : passed.answer);
    request.setAttribute(PASSED, new Passed(this, answer, passed));
    send(answer, response);
    if (answer.allowed()) {
      handle(answer, request, response, chain);
    }
  }

  /** Writes an answer's headers and, if it is a refusal, the whole response. */
  public static void send(Answer answer, HttpServletResponse response) throws IOException {
    answer.headers(response::setHeader);
    Refusal refusal = answer.refusal().orElse(null);
    if (refusal != null) {
      send(refusal, response);
    }
  }

  private static void handle(
      Answer answer, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean returned = false;
    try {
      chain.doFilter(request, response);
      returned = true;
    } finally {
      if (!returned) {
        answer.finished(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      } else if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new Ending(answer, response));
      } else {
        answer.finished(response.getStatus());
      }
    }
  }

  private static void send(Refusal refusal, HttpServletResponse response) throws IOException {
    byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
    response.setStatus(refusal.status());
    if (body.length > 0) {
      response.setContentType(refusal.contentType());
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** The end of a request that is answered asynchronously. */
  private record Ending(Answer answer, HttpServletResponse response) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      answer.finished(response.getStatus());
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this); // a new cycle forgets the listeners of the last
    }
  }
}
