package dev.stint.grpc;

import dev.stint.http.HeaderCases;
import dev.stint.http.HttpLimiter;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GrpcHeadersTest {

  @TestFactory
  Stream<DynamicTest> a_grpc_server_answers_as_all_servers_do() {
    return HeaderCases.on(Calls::new);
  }

  /** Calls as the cases make them. A refusal has its fields in the trailers. */
  private static final class Calls implements HeaderCases.Running {

    private final TalkServer server;

    Calls(HttpLimiter limiter) throws Exception {
      server = TalkServer.behind(new RateLimitInterceptor(limiter));
    }

    @Override
    public HeaderCases.Reply ask(Map<String, String> headers) throws Exception {
      Metadata sent = new Metadata();
      headers.forEach((name, value) -> sent.put(key(name), value));
      Ended ended = server.say("hello", sent);
      Map<String, String> answer = new TreeMap<>();
      addTo(answer, ended.headers());
      addTo(answer, ended.trailers());
      return new HeaderCases.Reply(status(ended.status()), answer);
    }

    private static void addTo(Map<String, String> answer, Metadata metadata) {
      for (String name : metadata.keys()) {
        if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
          answer.merge(name, metadata.get(key(name)), (a, b) -> a + " AND " + b);
        }
      }
    }

    private static int status(Status status) {
      return switch (status.getCode()) {
        case OK -> 200;
        case RESOURCE_EXHAUSTED -> 429;
        case PERMISSION_DENIED -> 403;
        default -> throw new IllegalStateException(status.toString());
      };
    }

    private static Metadata.Key<String> key(String name) {
      return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    @Override
    public int port() {
      throw new IllegalStateException("a gRPC server is not asked over plain HTTP");
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
