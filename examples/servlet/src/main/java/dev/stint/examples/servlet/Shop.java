package dev.stint.examples.servlet;

import dev.stint.http.HttpLimiter;
import dev.stint.http.Rule;
import dev.stint.http.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;

/** A server that greets five times a minute, and lets nobody guess passwords. */
public final class Shop {

  private Shop() {}

  /** Starts it on the port that is given, 8080 if none is. */
  public static void main(String[] args) throws Exception {
    Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
    System.out.println("Listening: " + server.getURI() + "hello");
  }

  static Server start(int port) throws Exception {
    HttpLimiter limiter =
        HttpLimiter.of(
            Rule.of("api", "5/minute").on("/hello"),
            // Held while the password is checked, and given back unless it was wrong.
            Rule.of("login", "3/minute").on("POST", "/login").onlyIf(status -> status == 401));

    ServletContextHandler context = new ServletContextHandler("/");
    context.addFilter(
        new FilterHolder(new RateLimitFilter(limiter)), "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(Hello.class, "/hello");
    context.addServlet(Login.class, "/login");

    Server server = new Server(port);
    server.setHandler(context);
    server.start();
    return server;
  }

  /** Says hello. */
  public static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println("hello");
    }
  }

  /** Knows one password. */
  public static final class Login extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      boolean right = "swordfish".equals(request.getParameter("password"));
      response.setStatus(right ? 200 : 401);
      response.getWriter().println(right ? "welcome" : "wrong password");
    }
  }
}
