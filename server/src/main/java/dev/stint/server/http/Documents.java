package dev.stint.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What is told to everybody alike. */
final class Documents {

  private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain;charset=utf-8");
  private static final CharSequence OPENAPI_TYPE =
      HttpHeaders.createOptimized("application/vnd.oai.openapi+json;version=3.1");
  private static final Buffer OK = Buffer.buffer("ok");
  private static final Buffer READY = Buffer.buffer("ready");
  private static final Buffer STOPPING = Buffer.buffer("stopping");
  private static final Buffer OPENAPI = Buffer.buffer(resource("openapi.json"));

  private final Buffer welcome;

  /** Documents of a service at this address, such as {@code http://localhost:8080}. */
  Documents(String address) {
    this.welcome =
        Buffer.buffer(
            """
            Stint limits how often something may happen. Ask it:

              curl "%1$s/check?userId=alice"
              curl "%1$s/v1/hit" -H "content-type: application/json" -d '{"key":"alice"}'
              curl "%1$s/v1/keys/default/alice"

            All it can be asked: %1$s/openapi.json
            """
                .formatted(address));
  }

  static void health(Exchange exchange) {
    exchange.answer(200, TEXT, OK);
  }

  static void ready(Exchange exchange, boolean isReady) {
    exchange.answer(isReady ? 200 : 503, TEXT, isReady ? READY : STOPPING);
  }

  static void openApi(Exchange exchange) {
    exchange.answer(200, OPENAPI_TYPE, OPENAPI);
  }

  void welcome(Exchange exchange) {
    exchange.answer(200, TEXT, welcome);
  }

  private static byte[] resource(String name) {
    try (InputStream in = Documents.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " must be in the jar, was not; build it again");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
