package dev.stint.http.jaxrs;

import com.sun.net.httpserver.HttpServer;
import dev.stint.http.HeaderCases;
import dev.stint.http.HttpLimiter;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.URI;
import java.util.stream.Stream;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class JaxRsHeadersTest {

  @TestFactory
  Stream<DynamicTest> jax_rs_answers_as_all_servers_do() {
    return HeaderCases.on(Jersey::new);
  }

  /** The resource of all cases. */
  @Path("/test.Talk")
  public static final class Talk {

    @POST
    @Path("/Say")
    public String say() {
      return "hello";
    }
  }

  private static final class Limits extends RateLimitFilter {
    Limits(HttpLimiter limiter) {
      super(limiter);
    }

    @Override
    protected String peer(ContainerRequestContext request) {
      return "127.0.0.1";
    }
  }

  private static final class Jersey implements HeaderCases.Running {

    private final HttpServer server;

    Jersey(HttpLimiter limiter) {
      server =
          JdkHttpServerFactory.createHttpServer(
              URI.create("http://127.0.0.1:0/"),
              new ResourceConfig(Talk.class).register(new Limits(limiter)));
    }

    @Override
    public int port() {
      return server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
