package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.http.Answer;
import java.time.Duration;
import org.springframework.util.ClassUtils;

/**
 * Thrown in place of a call that {@link RateLimited} refuses. If nobody catches it, web
 * applications answer as their filters do: 429, with the headers and when to come back.
 *
 * <p>Where Spring's web support is on the class path, it is a Spring {@code ErrorResponse} with the
 * same status and headers and a problem detail.
 *
 * <p>It has no stack trace: refusals are many when a machine has least to spare.
 */
public class RateLimitedException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final boolean WEB =
      ClassUtils.isPresent(
          "org.springframework.web.ErrorResponse", RateLimitedException.class.getClassLoader());

  private final transient Answer answer;
  private final transient Decision decision;

  /** A refusal of a call of {@code method}. */
  public RateLimitedException(String method, Answer answer) {
    this(
        method,
        answer,
        answer
            .decision()
            .orElseThrow(() -> new IllegalArgumentException("answer must have a decision: none")));
  }

  private RateLimitedException(String method, Answer answer, Decision decision) {
    super(method + " has no room for this call: " + decision, null, true, false);
    this.answer = answer;
    this.decision = decision;
  }

  /** A refusal of a call of {@code method}; an {@code ErrorResponse} where Spring has that. */
  public static RateLimitedException of(String method, Answer answer) {
    return WEB
        ? new RateLimitedErrorResponse(method, answer)
        : new RateLimitedException(method, answer);
  }

  /** The decision of the limit that refused; of several, the one with the longest wait. */
  public Decision decision() {
    return decision;
  }

  /** How long to wait before the same call fits; {@link Decision#NEVER} if none is long enough. */
  public Duration retryAfter() {
    return decision.retryAfter();
  }

  /** The refusal as a response: headers, status and body. */
  public Answer answer() {
    return answer;
  }
}
