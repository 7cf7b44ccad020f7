package dev.stint.spring;

import dev.stint.http.Request;
import dev.stint.http.servlet.ServletCall;
import dev.stint.spring.method.CurrentRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.HandlerMapping;

/** The request that MVC works for on the calling thread. */
final class MvcRequests implements CurrentRequest {

  private final RemoteAddresses addresses;

  MvcRequests(RemoteAddresses addresses) {
    this.addresses = addresses;
  }

  @Override
  public void checkAddresses(HttpLimiters rules) {
    addresses.checkMethods(rules);
  }

  @Override
  public @Nullable Request ofThread() {
    if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes found)) {
      return null;
    }
    HttpServletRequest request = found.getRequest();
    return new HandledCall(
        addresses.askConnection() ? ConnectionPeer.asConnected(request) : request);
  }

  /** A request whose handler MVC has found. */
  private static final class HandledCall extends ServletCall {

    private final HttpServletRequest request;

    HandledCall(HttpServletRequest request) {
      super(request);
      this.request = request;
    }

    @Override
    protected @Nullable String template() {
      Object template = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
      return template == null ? super.template() : template.toString();
    }
  }
}
