package dev.stint.server.rls;

import com.google.protobuf.UInt64Value;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running service in virtual time, and a client of it that speaks with Envoy's own classes. */
final class RlsService implements AutoCloseable {

  /** The call with our own messages, for what the published ones do not have yet. */
  static final MethodDescriptor<dev.stint.rls.RateLimitRequest, dev.stint.rls.RateLimitResponse>
      OWN =
          MethodDescriptor
              .<dev.stint.rls.RateLimitRequest, dev.stint.rls.RateLimitResponse>newBuilder()
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
              .setRequestMarshaller(
                  ProtoUtils.marshaller(dev.stint.rls.RateLimitRequest.getDefaultInstance()))
              .setResponseMarshaller(
                  ProtoUtils.marshaller(dev.stint.rls.RateLimitResponse.getDefaultInstance()))
              .build();

  final ManualTime time = ManualTime.create();
  final Service service;
  final ManagedChannel channel;
  final RateLimitServiceGrpc.RateLimitServiceBlockingStub stub;

  private RlsService(Configuration configuration, Watch watch) {
    Listener off = Listener.on(Listener.OFF);
    Configuration alone =
        configuration.withListeners(new Listeners(off, Listener.on("127.0.0.1", 0), off, off));
    service = Service.start(alone, new Engine(alone, Stores.inMemory(time), watch));
    channel = connect();
    stub = RateLimitServiceGrpc.newBlockingStub(channel);
  }

  ManagedChannel connect() {
    return NettyChannelBuilder.forAddress("127.0.0.1", service.grpcPort()).usePlaintext().build();
  }

  static RlsService with(Rules... rules) {
    return with(Rules.domain(rules), Watch.NOBODY);
  }

  static RlsService with(RlsSettings settings, Watch watch) {
    return with(Configuration.standard().withRls(settings), watch);
  }

  static RlsService with(Configuration configuration, Watch watch) {
    return new RlsService(configuration, watch);
  }

  /** A descriptor of keys and values by turns. */
  static RateLimitDescriptor descriptor(String... keysAndValues) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      descriptor.addEntries(
          Entry.newBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]));
    }
    return descriptor.build();
  }

  static RateLimitDescriptor adding(long addend, RateLimitDescriptor descriptor) {
    return descriptor.toBuilder().setHitsAddend(UInt64Value.of(addend)).build();
  }

  static RateLimitDescriptor under(
      int perUnit, RateLimitUnit unit, RateLimitDescriptor descriptor) {
    return descriptor.toBuilder()
        .setLimit(RateLimitOverride.newBuilder().setRequestsPerUnit(perUnit).setUnit(unit))
        .build();
  }

  static RateLimitRequest request(RateLimitDescriptor... descriptors) {
    return RateLimitRequest.newBuilder()
        .setDomain(Rules.DOMAIN)
        .addAllDescriptors(List.of(descriptors))
        .build();
  }

  RateLimitResponse ask(RateLimitDescriptor... descriptors) {
    return ask(request(descriptors));
  }

  RateLimitResponse ask(RateLimitRequest request) {
    return stub.withDeadlineAfter(10, TimeUnit.SECONDS).shouldRateLimit(request);
  }

  dev.stint.rls.RateLimitResponse ask(dev.stint.rls.RateLimitRequest request) {
    return ClientCalls.blockingUnaryCall(
        channel, OWN, io.grpc.CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request);
  }

  /** The only status of a request with one descriptor. */
  DescriptorStatus status(String... keysAndValues) {
    return ask(descriptor(keysAndValues)).getStatuses(0);
  }

  Code code(String... keysAndValues) {
    return ask(descriptor(keysAndValues)).getOverallCode();
  }

  /** What is left, without taking anything. */
  int left(String... keysAndValues) {
    return ask(adding(0, descriptor(keysAndValues))).getStatuses(0).getLimitRemaining();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    service.close();
  }
}
