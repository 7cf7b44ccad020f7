package dev.stint.server.rls;

import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Permission;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Caller;
import dev.stint.server.net.Permissions;
import dev.stint.server.net.TokenAuth;
import dev.stint.testkit.ManualTime;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A negative hit changes a count; every other one is a decision. */
class PermissionsTest {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final RateLimitDescriptor DESCRIPTOR =
      RateLimitDescriptor.newBuilder()
          .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue("a"))
          .build();
  private static final RateLimitRequest HIT = request(DESCRIPTOR);
  private static final RateLimitRequest NEGATIVE =
      request(DESCRIPTOR.toBuilder().setIsNegativeHits(true).build());
  private static final RateLimitRequest BOTH =
      HIT.toBuilder().addAllDescriptors(NEGATIVE.getDescriptorsList()).build();

  private static RateLimitRequest request(RateLimitDescriptor descriptor) {
    return RateLimitRequest.newBuilder().setDomain(Rules.DOMAIN).addDescriptors(descriptor).build();
  }

  private static Configuration configuration(Clients clients) {
    return Configuration.standard()
        .withRls(Rules.domain(key("user").perMinute(5)))
        .withClients(clients);
  }

  private static int left(RlsService service, String token, RateLimitRequest request) {
    Metadata metadata = new Metadata();
    metadata.put(AUTHORIZATION, "Bearer " + token);
    return ClientCalls.blockingUnaryCall(
            ClientInterceptors.intercept(
                service.channel, MetadataUtils.newAttachHeadersInterceptor(metadata)),
            RlsService.OWN,
            CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
            request)
        .getStatuses(0)
        .getLimitRemaining();
  }

  private static Status refusal(RlsService service, String token, RateLimitRequest request) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> left(service, token, request))
        .getStatus();
  }

  @Test
  void a_token_may_be_for_one_of_them() {
    Clients clients =
        Clients.of(
            Map.of(
                "shop",
                ClientSettings.deciding(Secret.of("sesame")),
                "billing",
                new ClientSettings(Secret.of("barley"), Set.of(Permission.CHANGE))));
    try (RlsService service = RlsService.with(configuration(clients), Watch.NOBODY)) {
      assertThat(left(service, "sesame", HIT)).isEqualTo(4);
      assertThat(refusal(service, "sesame", NEGATIVE).getCode())
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(refusal(service, "sesame", BOTH).getDescription())
          .isEqualTo(
              "client 'shop' must be allowed to change counts, and is not; add change to"
                  + " clients.shop.may in stint.yaml");
      assertThat(left(service, "sesame", HIT)).isEqualTo(3);

      assertThat(refusal(service, "barley", HIT).getCode())
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(left(service, "barley", NEGATIVE)).isEqualTo(4);
      assertThat(refusal(service, "wheat", NEGATIVE).getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }

  @Test
  void without_clients_this_machine_may_do_both() {
    try (RlsService service = RlsService.with(configuration(Clients.unspecified()), Watch.NOBODY)) {
      service.ask(HIT);
      assertThat(service.ask(NEGATIVE).getStatuses(0).getLimitRemaining()).isEqualTo(5);
    }
  }

  @Test
  void without_clients_others_only_decide_and_a_refused_request_does_nothing_at_all() {
    Configuration configuration = configuration(Clients.unspecified());
    Caller caller = new TokenAuth(configuration.clients()).caller(null);
    Permissions elsewhere = wanted -> caller.denial(wanted, false);
    try (Engine engine =
        new Engine(configuration, Stores.inMemory(ManualTime.create()), Watch.NOBODY)) {
      RlsDecider decider = new RlsDecider(engine, Bounds.standard());

      assertThat(left(decider, HIT, elsewhere)).isEqualTo(4);
      assertThatThrownBy(() -> decider.decide(BOTH, elsewhere))
          .isInstanceOf(NotPermitted.class)
          .hasMessageContaining("clients: everybody");
      assertThat(left(decider, HIT, elsewhere)).isEqualTo(3);
    }
  }

  private static int left(RlsDecider decider, RateLimitRequest request, Permissions permissions) {
    return decider.decide(request, permissions).join().getStatuses(0).getLimitRemaining();
  }
}
