package dev.stint.spring;

import dev.stint.http.Answer;
import dev.stint.http.Refusal;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/** A refused call as Spring's own handlers of exceptions know it. */
final class RateLimitedErrorResponse extends RateLimitedException implements ErrorResponse {

  private static final long serialVersionUID = 1L;
  private static final URI QUOTA_EXCEEDED =
      URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded");
  private static final int TOO_MANY_REQUESTS = 429;

  RateLimitedErrorResponse(String method, Answer answer) {
    super(method, answer);
  }

  @Override
  public HttpStatusCode getStatusCode() {
    return HttpStatusCode.valueOf(
        answer().refusal().map(Refusal::status).orElse(TOO_MANY_REQUESTS));
  }

  @Override
  public HttpHeaders getHeaders() {
    HttpHeaders headers = new HttpHeaders();
    answer().headers(headers::set);
    return headers;
  }

  @Override
  public ProblemDetail getBody() {
    ProblemDetail problem = ProblemDetail.forStatus(getStatusCode());
    problem.setType(QUOTA_EXCEEDED);
    problem.setTitle("Quota Exceeded");
    problem.setDetail(answer().refusal().map(Refusal::detail).orElse(getMessage()));
    return problem;
  }
}
