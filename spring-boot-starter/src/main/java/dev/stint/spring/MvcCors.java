package dev.stint.spring;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;

/**
 * What the application says about CORS: in MVC's handlers, in a {@link CorsConfigurationSource},
 * which Spring Security uses, or in a {@link CorsFilter}.
 */
final class MvcCors {

  private final MvcHandlers handlers;
  private final SingletonSupplier<List<CorsConfigurationSource>> sources;
  private final SingletonSupplier<List<CorsFilter>> filters;
  private final DefaultCorsProcessor processor = new DefaultCorsProcessor();

  MvcCors(ApplicationContext context, MvcHandlers handlers) {
    this.handlers = handlers;
    this.sources =
        SingletonSupplier.of(
            () ->
                List.copyOf(
                    context.getBeansOfType(CorsConfigurationSource.class, true, false).values()));
    this.filters =
        SingletonSupplier.of(
            () -> List.copyOf(context.getBeansOfType(CorsFilter.class, true, false).values()));
  }

  /**
   * Whether it is a preflight that Spring answers itself, before any handler, and as browsers send
   * it, without credentials. With credentials, passwords could be guessed by preflights.
   */
  boolean answersPreflight(HttpServletRequest request) {
    return CorsUtils.isPreFlightRequest(request)
        && request.getHeader(HttpHeaders.AUTHORIZATION) == null
        && request.getHeader(HttpHeaders.COOKIE) == null
        && (!filters.obtain().isEmpty() || handlers.find(request) != null);
  }

  /** Writes the headers without which a browser hides a refusal from the page. */
  void write(HttpServletRequest request, HttpServletResponse response) {
    if (!CorsUtils.isCorsRequest(request)) {
      return;
    }
    HttpServletResponse headers = new HeadersOnly(response);
    try {
      for (CorsFilter filter : filters.obtain()) {
        filter.doFilter(request, headers, (ignored, answered) -> {});
      }
      for (CorsConfigurationSource source : sources.obtain()) {
        CorsConfiguration configuration = source.getCorsConfiguration(request);
        if (configuration != null) {
          processor.processRequest(configuration, request, headers);
        }
      }
      MvcHandlers.Found found = handlers.find(request);
      if (found != null && found.cors() != null) {
        processor.processRequest(found.cors(), request, headers);
      }
    } catch (IOException | ServletException e) {
      throw new IllegalStateException("a response that is not written cannot fail", e);
    }
  }

  /** Takes over headers; the status and the body are the refusal's. */
  private static final class HeadersOnly extends HttpServletResponseWrapper {

    HeadersOnly(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setStatus(int status) {}

    @Override
    public void sendError(int status) {}

    @Override
    public void sendError(int status, String message) {}

    @Override
    public void flushBuffer() {}

    @Override
    public PrintWriter getWriter() {
      return new PrintWriter(Writer.nullWriter());
    }

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) {}
      };
    }
  }
}
