package dev.stint.spring;

import dev.stint.http.servlet.RateLimitFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers MVC requests whose handler ran into a limit, unless the application does so itself. */
final class RateLimitedResolver implements HandlerExceptionResolver, Ordered {

  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (!(failure instanceof RateLimitedException refused) || response.isCommitted()) {
      return null;
    }
    try {
      RateLimitFilter.send(refused.answer(), request, response);
    } catch (IOException e) {
      throw new UncheckedIOException("the client went away", e);
    }
    return new ModelAndView(); // all is said
  }
}
