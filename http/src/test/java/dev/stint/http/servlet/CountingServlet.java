package dev.stint.http.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Says hello, and counts how often. */
final class CountingServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final AtomicInteger handled;

  CountingServlet(AtomicInteger handled) {
    this.handled = handled;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    handled.incrementAndGet();
    response.getWriter().write("hello");
  }
}
