package dev.stint.http;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The response to a request that may not pass: a status, a body, and when to come back.
 *
 * <p>The standard one is 429 with a problem document. {@link HttpLimiter.Builder#refusal} replaces
 * it, whole or in part: {@code standard -> standard.status(503)}.
 */
public final class Refusal {

  /** Why a request may not pass. */
  public enum Reason {
    /** A limit has no room. */
    LIMIT,
    /** The client or its key is on the list of those who are blocked. */
    BLOCKED,
    /** The request lacks the key that a rule asks for. */
    MISSING_KEY,
    /** The store cannot be asked, and a rule refuses requests meanwhile. */
    STORE_UNAVAILABLE,
    /** The limits depend on the request and cannot be found, and the rule has no fallback. */
    LIMIT_UNKNOWN
  }

  private static final Pattern CONTENT_TYPE =
      Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;[ -~]*)?");

  private final Reason reason;
  private final String detail;
  private final int status;
  private final String contentType;
  private final String body;
  private final OptionalLong retryAfter;

  Refusal(
      Reason reason,
      String detail,
      int status,
      String contentType,
      String body,
      OptionalLong retryAfter) {
    this.reason = reason;
    this.detail = detail;
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** The same with another status, 400 to 599. */
  public Refusal status(int status) {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException(
          "the status of a refusal must be from 400 to 599: " + status);
    }
    // A problem document repeats the status; anybody else's body is left as it is.
    String told = Problem.isDocument(contentType) ? Problem.withStatus(body, status) : body;
    return new Refusal(reason, detail, status, contentType, told, retryAfter);
  }

  /** The same with another body; an empty one is sent without a content type. */
  public Refusal body(String contentType, String body) {
    if (!CONTENT_TYPE.matcher(contentType).matches()) {
      throw new IllegalArgumentException(
          "a content type must be like text/plain or application/json;charset=UTF-8: '"
              + contentType
              + "'");
    }
    return new Refusal(reason, detail, status, contentType, body, retryAfter);
  }

  /** The same without {@code Retry-After}. */
  public Refusal withoutRetryAfter() {
    return new Refusal(reason, detail, status, contentType, body, OptionalLong.empty());
  }

  /** Why the request may not pass. */
  public Reason reason() {
    return reason;
  }

  /** Why the request may not pass, in a sentence; the standard body has it too. */
  public String detail() {
    return detail;
  }

  /**
   * The status, if nothing else was said: 429 for a limit, 503 if the store cannot be asked or the
   * limits cannot be found, 403 for the other reasons.
   */
  public int status() {
    return status;
  }

  /** The type of the body. */
  public String contentType() {
    return contentType;
  }

  /** The body, to be sent in UTF-8. */
  public String body() {
    return body;
  }

  /** The seconds of {@code Retry-After}; empty if no wait would help. */
  public OptionalLong retryAfter() {
    return retryAfter;
  }
}
