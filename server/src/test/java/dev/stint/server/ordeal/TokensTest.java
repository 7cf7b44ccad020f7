package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.lab.Resp;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without its token nobody learns or changes anything; and no secret is ever told. */
class TokensTest {

  private static final String TOKEN = "token-of-shop-0123456789";
  private static final String ADMIN = "token-of-admin-0123456789";
  private static final String WRONG = "token-of-nobody-0123456789";
  private static final String PASSWORD = "password-of-redis";
  private static final String KEY = "key-of-somebody";

  private static final String YAML =
      Setup.WIDE.replace(
              "admin: \"127.0.0.1:0\"",
              "admin: {address: 127.0.0.1, port: 0, token: " + ADMIN + "}")
          + "clients: {shop: {token: "
          + TOKEN
          + "}}\n";

  @TempDir Path folder;

  private Configuration configuration() {
    return Setup.read(folder, YAML);
  }

  @Test
  void http_is_closed_to_strangers() throws IOException {
    try (Service service = Service.start(configuration());
        Http none = Http.connect(service.httpPort());
        Http wrong = Http.connect(service.httpPort()).token(WRONG);
        Http right = Http.connect(service.httpPort()).token(TOKEN)) {
      String body = "{\"policy\":\"api\",\"key\":\"" + KEY + "\",\"n\":1}";
      for (Http stranger : List.of(none, wrong)) {
        for (String path : List.of("hit", "peek", "inc", "refund", "set", "reset", "batch")) {
          assertThat(stranger.post("/v1/" + path, body).status()).as(path).isEqualTo(401);
        }
        assertThat(stranger.post("/json", "{}").status()).isEqualTo(401);
        for (String path :
            List.of("/check?userId=a", "/v1/keys/api/a", "/", "/openapi.json", "/no")) {
          assertThat(stranger.get(path).status()).as(path).isEqualTo(401);
        }
      }
      Http.Answer first = right.hit("api", KEY);
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.body()).as("strangers changed nothing").contains("\"used\":1,");
    }
  }

  @Test
  void resp_is_closed_to_strangers() {
    try (Service service = Service.start(configuration());
        Resp none = Resp.connect(service.respPort());
        Resp wrong = Resp.connect(service.respPort());
        Resp right = Resp.connect(service.respPort())) {
      assertThatThrownBy(() -> wrong.text("AUTH", WRONG)).hasMessageContaining("WRONGPASS");
      assertThatThrownBy(() -> wrong.text("AUTH", "shop", WRONG)).hasMessageContaining("WRONGPASS");
      assertThatThrownBy(() -> wrong.text("AUTH", "other", TOKEN))
          .hasMessageContaining("WRONGPASS");
      for (Resp stranger : List.of(none, wrong)) {
        for (String command :
            List.of(
                "CL.THROTTLE a 1 1 1",
                "STINT.HIT api a",
                "STINT.PEEK api a",
                "STINT.RESET api a",
                "INFO",
                "CLIENT LIST",
                "CONFIG GET *",
                "COMMAND")) {
          assertThatThrownBy(() -> stranger.call(command.split(" ", -1)))
              .as(command)
              .hasMessageContaining("NOAUTH");
        }
      }
      assertThat(right.text("AUTH", "shop", TOKEN)).isEqualTo("OK");
      assertThat(right.list("STINT.HIT", "api", "a").get(2)).isEqualTo(999_999L);
      right.text("RESET");
      assertThatThrownBy(() -> right.list("STINT.HIT", "api", "a")).hasMessageContaining("NOAUTH");
    }
  }

  @Test
  void grpc_is_closed_to_strangers() {
    try (Service service = Service.start(configuration());
        Rls none = Rls.connect(service.grpcPort())) {
      for (Rls stranger : List.of(none, none.token(WRONG))) {
        assertThatThrownBy(() -> stranger.hit("user", "a"))
            .isInstanceOfSatisfying(StatusRuntimeException.class, TokensTest::assertUnknown);
      }
      assertThatThrownBy(() -> listServices(none))
          .hasRootCauseInstanceOf(StatusRuntimeException.class)
          .rootCause()
          .satisfies(e -> assertUnknown((StatusRuntimeException) e));
      assertThat(none.token(TOKEN).hit("user", "a")).isEqualTo(Code.OK);
    }
  }

  private static void assertUnknown(StatusRuntimeException e) {
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  private static void listServices(Rls client) {
    CompletableFuture<io.grpc.reflection.v1.ServerReflectionResponse> answer =
        new CompletableFuture<>();
    StreamObserver<io.grpc.reflection.v1.ServerReflectionRequest> ask =
        ClientCalls.asyncBidiStreamingCall(
            client
                .channel()
                .newCall(
                    io.grpc.reflection.v1.ServerReflectionGrpc.getServerReflectionInfoMethod(),
                    io.grpc.CallOptions.DEFAULT),
            new StreamObserver<io.grpc.reflection.v1.ServerReflectionResponse>() {
              @Override
              public void onNext(io.grpc.reflection.v1.ServerReflectionResponse response) {
                answer.complete(response);
              }

              @Override
              public void onError(Throwable failure) {
                answer.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                answer.completeExceptionally(new IllegalStateException("no answer"));
              }
            });
    ask.onNext(
        io.grpc.reflection.v1.ServerReflectionRequest.newBuilder().setListServices("").build());
    answer.join();
  }

  @Test
  void no_secret_and_no_key_is_told_to_a_log_or_to_anybody() throws IOException {
    List<String> told = new ArrayList<>();
    try (Journal journal = Journal.open(Level.INFO)) {
      Configuration far =
          configuration().withStore(StoreSettings.at("redis://:" + PASSWORD + "@127.0.0.1:1"));
      try (Service service = Service.start(far);
          Http http = Http.connect(service.httpPort()).token(TOKEN);
          Http wrong = Http.connect(service.httpPort()).token(WRONG);
          Http admin = Http.connect(service.adminPort()).token(ADMIN);
          Http stranger = Http.connect(service.adminPort()).token(WRONG);
          Resp resp = Resp.connect(service.respPort());
          Rls rls = Rls.connect(service.grpcPort())) {
        told.add(http.hit("api", KEY).body());
        told.add(http.post("/v1/reset", "{\"policy\":\"api\",\"key\":\"" + KEY + "\"}").body());
        told.add(http.post("/v1/hit", "{\"policy\":\"no\",\"key\":\"" + KEY + "\"}").body());
        told.add(wrong.hit("api", KEY).body());
        told.add(admin.get("/metrics").body());
        told.add(admin.get("/policies").body());
        told.add(admin.get("/health").body());
        told.add(stranger.get("/metrics").body());
        told.add(message(() -> resp.text("AUTH", WRONG)));
        told.add(message(() -> resp.text("STINT.HIT", "api", KEY)));
        resp.text("AUTH", TOKEN);
        told.add(message(() -> resp.text("STINT.RESET", "api", KEY)));
        told.add(message(() -> rls.token(WRONG).hit("user", KEY)));
        told.add(String.valueOf(rls.token(TOKEN).hit("user", KEY)));
        told.add(far.toString());
      }
      told.addAll(journal.lines());
    }
    assertThat(told)
        .noneMatch(line -> line.contains(TOKEN), "a client's token")
        .noneMatch(line -> line.contains(ADMIN), "the administration's token")
        .noneMatch(line -> line.contains(WRONG), "a wrong token")
        .noneMatch(line -> line.contains(PASSWORD), "the password of Redis")
        .noneMatch(line -> line.contains(KEY), "a key");
  }

  private static String message(Runnable call) {
    try {
      call.run();
      return "";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
