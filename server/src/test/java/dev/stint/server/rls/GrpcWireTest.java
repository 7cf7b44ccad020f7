package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.request;
import static dev.stint.server.rls.RlsService.under;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Watch;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the port refuses, and whom. */
class GrpcWireTest {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static Status refusal(RlsService service, RateLimitRequest request) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> service.ask(request))
        .getStatus();
  }

  private static void assertInvalid(RateLimitRequest request, String sentence) {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      Status status = refusal(service, request);
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).isEqualTo(sentence);
      assertThat(service.left("user", "a")).isEqualTo(5);
    }
  }

  @Test
  void refuses_a_request_without_a_domain() {
    assertInvalid(
        request(descriptor("user", "a")).toBuilder().clearDomain().build(),
        "domain must not be empty: name a domain of the configuration");
  }

  @Test
  void refuses_a_request_without_descriptors() {
    assertInvalid(request(), "descriptors must be at least 1: 0");
  }

  @Test
  void refuses_a_descriptor_without_entries() {
    assertInvalid(
        request(descriptor("user", "a"), descriptor()),
        "descriptors[1].entries must be at least 1: 0");
  }

  @Test
  void refuses_more_descriptors_than_its_bound() {
    assertInvalid(
        request(
            Collections.nCopies(1001, descriptor("user", "a")).toArray(RateLimitDescriptor[]::new)),
        "descriptors must be at most 1000: 1001; ask in parts");
  }

  @Test
  void takes_as_many_descriptors_as_its_bound() {
    try (RlsService service = RlsService.with(key("user").perMinute(5000))) {
      RateLimitDescriptor[] all = new RateLimitDescriptor[1000];
      for (int i = 0; i < all.length; i++) {
        all[i] = descriptor("user", "u" + i % 500);
      }
      RateLimitResponse response = service.ask(all);
      assertThat(response.getStatusesCount()).isEqualTo(1000);
      assertThat(response.getStatuses(777).getLimitRemaining()).isEqualTo(4998);
    }
  }

  @Test
  void refuses_keys_longer_than_its_bound() {
    assertInvalid(
        request(descriptor("user", "a"), descriptor("user", "ä".repeat(2044))),
        "descriptors[1] must have at most 4096 bytes, with one for each entry: 4097;"
            + " hash long values before sending them");
  }

  @Test
  void refuses_an_override_without_a_unit() {
    assertInvalid(
        request(under(5, RateLimitUnit.UNKNOWN, descriptor("user", "a"))),
        "descriptors[0].limit.unit must be SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR: 0");
  }

  @Test
  void refuses_a_million_descriptors_and_serves_others_meanwhile() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      RateLimitDescriptor one = descriptor("user", "a");
      RateLimitRequest million =
          RateLimitRequest.newBuilder()
              .setDomain(Rules.DOMAIN)
              .addAllDescriptors(Collections.nCopies(1_000_000, one))
              .build();
      Status status = refusal(service, million);
      assertThat(status.getCode()).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
      assertThat(service.left("user", "a")).isEqualTo(4);
    }
  }

  @Test
  void refuses_a_message_larger_than_its_bound_with_a_sentence() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      Status status = refusal(service, request(descriptor("user", "x".repeat(1 << 20))));
      assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(status.getDescription()).isEqualTo("a message must have at most 1048576 bytes");
    }
  }

  @Test
  void refuses_compressed_messages_because_they_could_hold_anything() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      StatusRuntimeException refusal =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  service
                      .stub
                      .withCompression("gzip")
                      .shouldRateLimit(request(descriptor("user", "x".repeat(1000)))));
      assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(refusal.getStatus().getDescription())
          .isEqualTo("a message must not be compressed");
    }
  }

  @Test
  void a_second_message_in_one_call_is_neither_answered_nor_charged() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      CompletableFuture<RateLimitResponse> answer = new CompletableFuture<>();
      ClientCall<RateLimitRequest, RateLimitResponse> call =
          service.channel.newCall(
              RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder()
                  .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                  .build(),
              CallOptions.DEFAULT);
      call.start(listener(answer), new Metadata());
      call.request(2);
      call.sendMessage(request(descriptor("user", "a")));
      call.sendMessage(request(descriptor("user", "a")));
      call.halfClose();
      assertThat(answer.get(10, TimeUnit.SECONDS).getStatuses(0).getLimitRemaining()).isEqualTo(4);
      assertThat(service.left("user", "a")).isEqualTo(4);
    }
  }

  @Test
  void bytes_that_are_no_message_are_refused() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      MethodDescriptor<byte[], byte[]> raw =
          MethodDescriptor.<byte[], byte[]>newBuilder()
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(RlsService.OWN.getFullMethodName())
              .setRequestMarshaller(BYTES)
              .setResponseMarshaller(BYTES)
              .build();
      StatusRuntimeException refusal =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  ClientCalls.blockingUnaryCall(
                      service.channel, raw, CallOptions.DEFAULT, new byte[] {10, 100, 1}));
      assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(refusal.getStatus().getDescription()).isEqualTo("a message must be protobuf");
    }
  }

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          return new byte[0];
        }
      };

  private static Configuration withToken() {
    return Configuration.standard()
        .withRls(Rules.domain(key("user").perMinute(5)))
        .withClients(
            Clients.of(Map.of("team", ClientSettings.changing(Secret.of("a-token-of-the-team")))));
  }

  private static RateLimitServiceGrpc.RateLimitServiceBlockingStub saying(
      RlsService service, String authorization) {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, authorization);
    return service.stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  @Test
  void asks_for_a_token_where_clients_are_named() {
    try (RlsService service = RlsService.with(withToken(), Watch.NOBODY)) {
      Status status = refusal(service, request(descriptor("user", "a")));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription())
          .isEqualTo("a token must be given: send the metadata 'authorization: Bearer TOKEN'");
    }
  }

  @Test
  void refuses_a_wrong_token_and_takes_a_right_one() {
    try (RlsService service = RlsService.with(withToken(), Watch.NOBODY)) {
      RateLimitRequest request = request(descriptor("user", "a"));
      assertThat(
              catchThrowableOfType(
                      StatusRuntimeException.class,
                      () -> saying(service, "Bearer wrong").shouldRateLimit(request))
                  .getStatus()
                  .getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(
              saying(service, "Bearer a-token-of-the-team")
                  .shouldRateLimit(request)
                  .getStatuses(0)
                  .getLimitRemaining())
          .isEqualTo(4);
    }
  }

  @Test
  void closes_connections_beyond_its_bound_and_serves_the_others() {
    Bounds usual = Bounds.standard();
    Bounds one =
        new Bounds(
            usual.body(),
            usual.headers(),
            usual.key(),
            usual.batch(),
            usual.descriptors(),
            1,
            usual.idle(),
            usual.drain());
    Configuration configuration =
        Configuration.standard().withRls(Rules.domain(key("user").perMinute(5))).withBounds(one);
    try (RlsService service = RlsService.with(configuration, Watch.NOBODY)) {
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
      ManagedChannel second = service.connect();
      try {
        StatusRuntimeException refusal =
            catchThrowableOfType(
                StatusRuntimeException.class,
                () ->
                    RateLimitServiceGrpc.newBlockingStub(second)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .shouldRateLimit(request(descriptor("user", "a"))));
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      } finally {
        second.shutdownNow();
      }
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
      service.channel.shutdownNow();
      ManagedChannel third = service.connect();
      try {
        await()
            .ignoreExceptions()
            .atMost(Duration.ofSeconds(10))
            .until(
                () ->
                    RateLimitServiceGrpc.newBlockingStub(third)
                            .shouldRateLimit(request(descriptor("user", "a")))
                            .getOverallCode()
                        == Code.OK);
      } finally {
        third.shutdownNow();
      }
    }
  }

  @Test
  void answers_what_had_begun_before_it_was_stopped() throws Exception {
    RlsService service = RlsService.with(key("user").perMinute(5));
    CompletableFuture<RateLimitResponse> answer = new CompletableFuture<>();
    ClientCall<RateLimitRequest, RateLimitResponse> call =
        service.channel.newCall(
            RateLimitServiceGrpc.getShouldRateLimitMethod(), CallOptions.DEFAULT);
    // A request that is served shows that the one before it, on the same connection, has begun.
    call.start(listener(answer), new Metadata());
    call.request(1);
    service.code("user", "b");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(service.service::close);
    ManagedChannel late = service.connect();
    try {
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> isRefused(late)); // it takes nobody any more
    } finally {
      late.shutdownNow();
    }
    assertThat(closing).isNotDone();
    call.sendMessage(request(descriptor("user", "a")));
    call.halfClose();
    assertThat(answer.get(10, TimeUnit.SECONDS).getOverallCode()).isEqualTo(Code.OK);
    closing.get(10, TimeUnit.SECONDS);
    service.channel.shutdownNow();
  }

  private static boolean isRefused(ManagedChannel channel) {
    try {
      RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(5, TimeUnit.SECONDS)
          .shouldRateLimit(request(descriptor("user", "c")));
      return false;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.UNAVAILABLE;
    }
  }

  private static ClientCall.Listener<RateLimitResponse> listener(
      CompletableFuture<RateLimitResponse> answer) {
    return new ClientCall.Listener<>() {
      @Override
      public void onMessage(RateLimitResponse message) {
        answer.complete(message);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        answer.completeExceptionally(status.asException());
      }
    };
  }
}
