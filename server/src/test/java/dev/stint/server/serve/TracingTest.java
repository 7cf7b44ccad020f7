package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.Telemetry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/v1/traces"})
  void sends_the_span_of_a_request_in_the_clients_trace_to_the_collector(String path)
      throws Exception {
    BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          received.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try {
      String address = "http://127.0.0.1:" + collector.getAddress().getPort() + path;
      Listener any = Listener.on("127.0.0.1", 0);
      Configuration traced =
          Configuration.standard()
              .withListeners(new Listeners(any, any, any, any))
              .withTelemetry(new Telemetry(10, false, false, Optional.of(address)));
      try (Service service = Service.start(traced)) {
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + service.adminPort() + "/policies"))
                .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                .build();
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      }
      byte[] spans = received.poll(10, TimeUnit.SECONDS);
      assertThat(spans).isNotNull();
      String bytes = new String(spans, StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains("service.name", "stint", "/policies");
      assertThat(bytes)
          .contains(new String(HexFormat.of().parseHex(TRACE), StandardCharsets.ISO_8859_1));
    } finally {
      collector.stop(0);
    }
  }
}
