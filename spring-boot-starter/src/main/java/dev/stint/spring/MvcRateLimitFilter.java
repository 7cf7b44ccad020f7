package dev.stint.spring;

import dev.stint.http.HttpLimiter;
import dev.stint.http.Request;
import dev.stint.http.servlet.RateLimitFilter;
import dev.stint.http.servlet.ServletCall;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The servlets' filter where MVC answers: it knows MVC's handlers and CORS settings. */
final class MvcRateLimitFilter extends RateLimitFilter {

  private final MvcHandlers handlers;
  private final MvcCors cors;

  MvcRateLimitFilter(
      Function<HttpServletRequest, @Nullable HttpLimiter> limiters,
      UnaryOperator<HttpServletRequest> seenAs,
      MvcHandlers handlers,
      MvcCors cors) {
    super(limiters, seenAs);
    this.handlers = handlers;
    this.cors = cors;
  }

  @Override
  protected Request call(HttpServletRequest request) {
    return new MvcCall(request);
  }

  @Override
  protected boolean skips(HttpServletRequest request) {
    return cors.answersPreflight(request);
  }

  @Override
  protected void refusing(HttpServletRequest request, HttpServletResponse response) {
    cors.write(request, response);
  }

  /** A request whose handler MVC is asked for once, and only if a rule wants to know. */
  private final class MvcCall extends ServletCall {

    private final HttpServletRequest request;
    private boolean asked;
    private MvcHandlers.@Nullable Found found;

    MvcCall(HttpServletRequest request) {
      super(request);
      this.request = request;
    }

    @Override
    protected boolean hasOwnRouting() {
      return handlers.haveOwnRouting();
    }

    @Override
    protected @Nullable String template() {
      if (!asked) {
        asked = true;
        found = handlers.find(request);
      }
      return found == null ? null : found.template();
    }
  }
}
