package dev.stint.http.servlet;

import dev.stint.http.Answer;
import dev.stint.http.Completion;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import dev.stint.http.Request;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass to servlets as the rules of an {@link HttpLimiter} say.
 *
 * <p>A request is charged once, whatever it is dispatched to afterwards: forwards, includes, errors
 * and asynchronous dispatches of the same request pass without being counted again. Several filters
 * of this kind may follow one another, each with its own limiter; the headers then speak of all.
 *
 * <p>A framework on servlets may extend it, to tell rules which {@linkplain #call handler} a
 * request reaches, to {@linkplain #skips leave out} requests that it answers itself, and to
 * {@linkplain #refusing add} headers of its own to refusals.
 */
public class RateLimitFilter implements Filter {

  private static final String PASSED = RateLimitFilter.class.getName() + ".passed";

  /** The filters of this kind that a request has passed, the last first, and what they answered. */
  private record Passed(RateLimitFilter filter, Answer answer, @Nullable Passed before) {

    boolean has(RateLimitFilter asked) {
      return filter == asked || (before != null && before.has(asked));
    }
  }

  private final Function<HttpServletRequest, @Nullable HttpLimiter> limiters;
  private final UnaryOperator<HttpServletRequest> seenAs;

  /** A filter that asks this limiter. */
  public RateLimitFilter(HttpLimiter limiter) {
    this(limiter, UnaryOperator.identity());
  }

  /**
   * A filter that asks this limiter about another view of each request, for example one that shows
   * the address of the connection where an earlier filter has replaced it. The request that is
   * passed on is the one that came.
   */
  public RateLimitFilter(HttpLimiter limiter, UnaryOperator<HttpServletRequest> seenAs) {
    this(request -> limiter, seenAs);
    if (limiter == null) {
      throw new IllegalArgumentException("limiter must not be null");
    }
  }

  /**
   * A filter that asks the limiter that {@code limiters} names for each request, for example that
   * of the rules that are in force when it comes; a request for which it names none passes.
   */
  public RateLimitFilter(
      Function<HttpServletRequest, @Nullable HttpLimiter> limiters,
      UnaryOperator<HttpServletRequest> seenAs) {
    if (limiters == null) {
      throw new IllegalArgumentException("limiters must not be null");
    }
    if (seenAs == null) {
      throw new IllegalArgumentException("the view of a request must not be null");
    }
    this.limiters = limiters;
    this.seenAs = seenAs;
  }

  /** The request as rules see it. */
  protected Request call(HttpServletRequest request) {
    return new ServletCall(request);
  }

  /** Whether the request passes without being counted, unless a list blocks it. */
  protected boolean skips(HttpServletRequest request) {
    return false;
  }

  /** Is told that a refusal will be sent, as long as headers can still be added. */
  protected void refusing(HttpServletRequest request, HttpServletResponse response) {}

  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
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
    HttpLimiter limiter = limiters.apply(request);
    if (limiter == null) {
      chain.doFilter(request, response);
      return;
    }
    Answer earlier = passed == null ? null : passed.answer;
    Request call = call(seenAs.apply(request));
    Answer answer =
        skips(request) ? limiter.decideByLists(call, earlier) : limiter.decide(call, earlier);
    request.setAttribute(PASSED, new Passed(this, answer, passed));
    request.setAttribute(Answer.ATTRIBUTE, answer);
    if (!answer.allowed()) {
      refusing(request, response);
    }
    send(answer, response);
    if (answer.allowed()) {
      handle(answer, request, response, chain);
    }
  }

  /**
   * Writes the answer of a limiter that was asked later in the request: its headers, which also
   * speak of what the filters answered, and, if it is a refusal, the whole response.
   */
  public static void send(Answer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Passed passed = request.getAttribute(PASSED) instanceof Passed known ? known : null;
    send(answer.after(passed == null ? null : passed.answer), response);
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
        answer.finished(
            Completion.of(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, request::getAttribute));
      } else if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new Ending(answer, request, response));
      } else {
        answer.finished(Completion.of(response.getStatus(), request::getAttribute));
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
  private record Ending(Answer answer, HttpServletRequest request, HttpServletResponse response)
      implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
      answer.finished(Completion.of(response.getStatus(), request::getAttribute));
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
