package dev.stint.server.rls;

import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Watch;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthTest {

  private static HealthCheckRequest of(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ratelimit"})
  void serves_as_a_whole_and_as_ratelimit(String name) {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      assertThat(HealthGrpc.newBlockingStub(service.channel).check(of(name)).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void knows_no_other_service() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      StatusRuntimeException refusal =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> HealthGrpc.newBlockingStub(service.channel).check(of("billing")));
      assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void answers_also_those_without_a_token() {
    Configuration guarded =
        Configuration.standard()
            .withClients(
                Clients.of(
                    Map.of("team", ClientSettings.changing(Secret.of("a-token-of-the-team")))));
    try (RlsService service = RlsService.with(guarded, Watch.NOBODY)) {
      assertThat(HealthGrpc.newBlockingStub(service.channel).check(of("")).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void tells_who_watches_that_the_service_stops() {
    RlsService service = RlsService.with(key("user").perMinute(5));
    Iterator<HealthCheckResponse> told =
        HealthGrpc.newBlockingStub(service.channel).watch(of("ratelimit"));
    assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);
    Thread stopping = new Thread(service.service::close);
    stopping.start();
    assertThat(told.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(told.hasNext()).isFalse();
    service.channel.shutdownNow();
  }

  @Test
  void tells_who_watches_a_service_it_does_not_know() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      Iterator<HealthCheckResponse> told =
          HealthGrpc.newBlockingStub(service.channel).watch(of("billing"));
      assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
    }
  }
}
