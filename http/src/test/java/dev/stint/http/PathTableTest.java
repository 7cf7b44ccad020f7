package dev.stint.http;

import com.sun.net.httpserver.HttpServer;
import dev.stint.http.servlet.RateLimitFilter;
import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.InstanceFactory;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** However a path is written, the rule of the handler that answers it has counted it. */
class PathTableTest {

  /** What servlets call the handlers' paths, and the names they have. */
  private static final Map<String, String> SERVLETS =
      Map.of("/files/*", "files", "/orders/*", "orders", "/admin/users", "admin", "/", "other");

  private static final HttpLimiter LIMITER = HttpLimiter.of(PathTable.rules().toArray(Rule[]::new));

  /** A servlet's pattern cannot say that one segment follows; the handler then looks itself. */
  private static final class Named extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String info = request.getPathInfo();
      boolean odd =
          name.equals("orders") && (info == null || info.length() < 2 || info.indexOf('/', 1) >= 0);
      response.setHeader("X-Handler", odd ? "other" : name);
    }
  }

  /** Servers log every path that they refuse. */
  @BeforeAll
  static void quiet() {
    Logger.getLogger("").setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    Logger.getLogger("").setLevel(Level.INFO);
  }

  @Test
  void on_jetty() throws Exception {
    onJetty("");
    onJetty("/shop");
  }

  private static void onJetty(String path) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector
        .getConnectionFactory(org.eclipse.jetty.server.HttpConnectionFactory.class)
        .getHttpConfiguration()
        .setUriCompliance(org.eclipse.jetty.http.UriCompliance.UNSAFE);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler(path.isEmpty() ? "/" : path);
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    context.addFilter(
        new FilterHolder(new RateLimitFilter(LIMITER)), "/*", EnumSet.of(DispatcherType.REQUEST));
    SERVLETS.forEach(
        (pattern, name) -> context.addServlet(new ServletHolder(new Named(name)), pattern));
    server.setHandler(context);
    server.start();
    try {
      PathTable.assertCounted(connector.getLocalPort(), path, 100);
    } finally {
      server.stop();
    }
  }

  @Test
  void on_tomcat() throws Exception {
    for (String slashes : new String[] {"reject", "decode", "passthrough"}) {
      onTomcat(slashes, "");
      onTomcat(slashes, "/shop");
    }
  }

  private static void onTomcat(String slashes, String path) throws Exception {
    Tomcat tomcat = new Tomcat();
    String base = Files.createTempDirectory("tomcat").toString();
    tomcat.setBaseDir(base);
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setEncodedSolidusHandling(slashes);
    tomcat.getConnector().setAllowBackslash(slashes.equals("decode"));
    tomcat.getConnector().setProperty("relaxedPathChars", "\\");
    Context context = tomcat.addContext(path, base);
    SERVLETS.forEach(
        (pattern, name) -> {
          Tomcat.addServlet(context, name, new Named(name));
          context.addServletMappingDecoded(pattern, name);
        });
    FilterDef filter = new FilterDef();
    filter.setFilterName("limits");
    filter.setFilter((Filter) new RateLimitFilter(LIMITER));
    context.addFilterDef(filter);
    FilterMap mapping = new FilterMap();
    mapping.setFilterName("limits");
    mapping.addURLPattern("/*");
    context.addFilterMap(mapping);
    tomcat.start();
    try {
      PathTable.assertCounted(tomcat.getConnector().getLocalPort(), path, 100);
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Test
  void on_undertow() throws Exception {
    DeploymentInfo deployment =
        Servlets.deployment()
            .setClassLoader(PathTableTest.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("paths");
    SERVLETS.forEach(
        (pattern, name) -> {
          InstanceFactory<Named> factory = new ImmediateInstanceFactory<>(new Named(name));
          deployment.addServlet(Servlets.servlet(name, Named.class, factory).addMapping(pattern));
        });
    InstanceFactory<RateLimitFilter> factory =
        new ImmediateInstanceFactory<>(new RateLimitFilter(LIMITER));
    deployment.addFilter(Servlets.filter("limits", RateLimitFilter.class, factory));
    deployment.addFilterUrlMapping("limits", "/*", DispatcherType.REQUEST);
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
    manager.deploy();
    Undertow server =
        Undertow.builder()
            .addHttpListener(0, "127.0.0.1")
            .setServerOption(io.undertow.UndertowOptions.DECODE_SLASH, true)
            .setHandler(manager.start())
            .build();
    server.start();
    try {
      InetSocketAddress address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
      PathTable.assertCounted(address.getPort(), 100);
    } finally {
      server.stop();
    }
  }

  /** Contexts are prefixes here; a handler that wants more than that looks at the path itself. */
  @Test
  void on_the_server_of_the_jdk() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Map.of("/files/", "files", "/orders/", "orders", "/admin/users", "admin", "/", "other")
        .forEach(
            (context, name) ->
                server
                    .createContext(
                        context,
                        exchange -> {
                          String rest =
                              exchange.getRequestURI().getPath().substring(context.length());
                          boolean odd =
                              switch (name) {
                                case "orders" -> rest.isEmpty() || rest.indexOf('/') >= 0;
                                case "admin" -> !rest.isEmpty();
                                default -> false;
                              };
                          exchange.getResponseHeaders().set("X-Handler", odd ? "other" : name);
                          exchange.sendResponseHeaders(200, -1);
                          exchange.close();
                        })
                    .getFilters()
                    .add(new dev.stint.http.jdk.RateLimitFilter(LIMITER)));
    server.setExecutor(Executors.newFixedThreadPool(2));
    server.start();
    try {
      PathTable.assertCounted(server.getAddress().getPort(), 100);
    } finally {
      server.stop(0);
    }
  }

  /** A filter for a server that does not say who calls. */
  private static final class Limits extends dev.stint.http.jaxrs.RateLimitFilter {
    Limits() {
      super(LIMITER);
    }

    @Override
    protected String peer(ContainerRequestContext request) {
      return "203.0.113.9";
    }
  }

  /** The handlers as resources. */
  @Path("/")
  public static class Resources {

    @GET
    @Path("files/{rest: .*}")
    public Response files() {
      return Response.ok().header("X-Handler", "files").build();
    }

    @GET
    @Path("orders/{id}")
    public Response orders() {
      return Response.ok().header("X-Handler", "orders").build();
    }

    @GET
    @Path("admin/users")
    public Response admin() {
      return Response.ok().header("X-Handler", "admin").build();
    }
  }

  @Test
  void on_jersey() throws Exception {
    ResourceConfig config = new ResourceConfig(Resources.class).register(new Limits());
    HttpServer server =
        JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config, false);
    server.start();
    try {
      PathTable.assertCounted(server.getAddress().getPort(), 100);
    } finally {
      server.stop(0);
    }
  }
}
