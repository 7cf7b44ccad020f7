package dev.stint.http;

import com.sun.net.httpserver.HttpServer;
import dev.stint.http.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** One credential has one budget, however it is sent to a server. */
class ForgedServersTest {

  private static HttpLimiter limiter() {
    return HttpLimiter.of(ForgedRequests.rules().toArray(Rule[]::new));
  }

  @Test
  void on_the_server_of_the_jdk() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server
        .createContext(
            "/",
            exchange -> {
              exchange.sendResponseHeaders(200, -1);
              exchange.close();
            })
        .getFilters()
        .add(new dev.stint.http.jdk.RateLimitFilter(limiter()));
    server.start();
    try {
      ForgedRequests.assertCounted(server.getAddress().getPort());
    } finally {
      server.stop(0);
    }
  }

  private static final class Fine extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  @Test
  void on_jetty() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addFilter(
        new FilterHolder(new RateLimitFilter(limiter())), "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(new ServletHolder(new Fine()), "/*");
    server.setHandler(context);
    server.start();
    try {
      ForgedRequests.assertCounted(connector.getLocalPort());
    } finally {
      server.stop();
    }
  }

  private static final class Limits extends dev.stint.http.jaxrs.RateLimitFilter {
    Limits() {
      super(limiter());
    }

    @Override
    protected String peer(ContainerRequestContext request) {
      return "203.0.113.9";
    }
  }

  /** Answers everything. */
  @Path("/{any}")
  public static class Any {

    @GET
    public String any() {
      return "any";
    }
  }

  @Test
  void on_jersey() throws Exception {
    ResourceConfig config = new ResourceConfig(Any.class).register(new Limits());
    HttpServer server =
        JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config, false);
    server.start();
    try {
      ForgedRequests.assertCounted(server.getAddress().getPort());
    } finally {
      server.stop(0);
    }
  }
}
