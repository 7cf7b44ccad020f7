package dev.stint.server.rls;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * gRPC's own health service: {@code SERVING} until the port is drained. A store that is away does
 * not change it, because requests are answered all the same.
 */
final class Health {

  private static final String SERVICE = "grpc.health.v1.Health";

  /** The path of a stream that stays open without anything to wait for. */
  static final String WATCH = "/" + SERVICE + "/Watch";

  private static final Set<String> KNOWN = Set.of("", "ratelimit");

  private final Set<GrpcServerResponse<?, HealthCheckResponse>> watchers = new HashSet<>();
  private ServingStatus status = ServingStatus.SERVING;
  private boolean isOver;

  void register(GrpcCalls calls) {
    calls.open(SERVICE, "Check", HealthCheckRequest.parser(), this::check);
    calls.open(SERVICE, "Watch", HealthCheckRequest.parser(), this::watch);
  }

  private void check(
      HealthCheckRequest request, GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> call) {
    GrpcCalls.close(call);
    if (KNOWN.contains(request.getService())) {
      call.response().end(told(status)).onFailure(GrpcCalls::ignore);
    } else {
      GrpcCalls.fail(
          call.response(), GrpcStatus.NOT_FOUND, "the services are 'ratelimit' and '' for all");
    }
  }

  /** Tells how it is now, and once more when that changes. */
  private void watch(
      HealthCheckRequest request, GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> call) {
    GrpcCalls.close(call);
    GrpcServerResponse<HealthCheckRequest, HealthCheckResponse> response = call.response();
    boolean known = KNOWN.contains(request.getService());
    if (isOver) {
      response.end(told(status)).onFailure(GrpcCalls::ignore);
      return;
    }
    watchers.add(response);
    call.exceptionHandler(gone -> watchers.remove(response));
    call.errorHandler(gone -> watchers.remove(response));
    response.exceptionHandler(gone -> watchers.remove(response));
    response
        .write(told(known ? status : ServingStatus.SERVICE_UNKNOWN))
        .onFailure(gone -> watchers.remove(response));
  }

  /** How many are told of a change. */
  int watchers() {
    return watchers.size();
  }

  /** Reports {@code NOT_SERVING} from now on, to watchers at once. */
  void unready() {
    if (status == ServingStatus.SERVING) {
      status = ServingStatus.NOT_SERVING;
      for (GrpcServerResponse<?, HealthCheckResponse> watcher : List.copyOf(watchers)) {
        watcher.write(told(status)).onFailure(gone -> watchers.remove(watcher));
      }
    }
  }

  /** The port is drained: ends the streams of watchers, which would not end by themselves. */
  void drain() {
    unready();
    isOver = true;
    for (GrpcServerResponse<?, HealthCheckResponse> watcher : List.copyOf(watchers)) {
      watcher.end().onFailure(GrpcCalls::ignore);
    }
    watchers.clear();
  }

  private static HealthCheckResponse told(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}
