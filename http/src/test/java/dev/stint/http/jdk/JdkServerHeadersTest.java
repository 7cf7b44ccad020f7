package dev.stint.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.http.HeaderCases;
import dev.stint.http.HttpLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class JdkServerHeadersTest {

  @TestFactory
  Stream<DynamicTest> the_jdks_server_answers_as_all_servers_do() {
    return HeaderCases.on(Jdk::new);
  }

  private static final class Jdk implements HeaderCases.Running {

    private final HttpServer server;

    Jdk(HttpLimiter limiter) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", Jdk::hello).getFilters().add(new RateLimitFilter(limiter));
      server.start();
    }

    private static void hello(HttpExchange exchange) throws IOException {
      byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
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
