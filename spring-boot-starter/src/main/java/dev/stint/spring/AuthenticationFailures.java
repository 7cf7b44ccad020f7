package dev.stint.spring;

import dev.stint.http.Completion;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Notes on a servlet request that Spring Security failed to authenticate its sender. The event
 * comes on the thread that handles the request.
 *
 * <p>Spring's own holder of the current request is empty in a security chain that is moved in front
 * of the filter that fills it, so a {@linkplain #filter filter} remembers the request here too.
 */
final class AuthenticationFailures
    implements ApplicationListener<AbstractAuthenticationFailureEvent> {

  private static final ThreadLocal<@Nullable ServletRequest> CURRENT = new ThreadLocal<>();

  @Override
  public void onApplicationEvent(AbstractAuthenticationFailureEvent failure) {
    ServletRequest request = CURRENT.get();
    RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
    if (request != null) {
      request.setAttribute(Completion.AUTHENTICATION_FAILED, true);
    } else if (attributes != null) { // on a thread of the application's, which inherited them
      attributes.setAttribute(
          Completion.AUTHENTICATION_FAILED, true, RequestAttributes.SCOPE_REQUEST);
    }
  }

  /** Remembers the request while the filters behind handle it. */
  static Filter filter() {
    return AuthenticationFailures::remember;
  }

  private static void remember(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ServletRequest outer = CURRENT.get();
    CURRENT.set(request);
    try {
      chain.doFilter(request, response);
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }
}
