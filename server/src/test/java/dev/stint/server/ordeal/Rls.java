package dev.stint.server.ordeal;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceStub;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.SslContext;
import java.util.concurrent.TimeUnit;

/** A client of Envoy's rate limit service, with the classes that Envoy publishes. */
final class Rls implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 20;

  private final ManagedChannel channel;
  private final RateLimitServiceBlockingStub stub;
  private final RateLimitServiceStub async;

  private Rls(ManagedChannel channel) {
    this.channel = channel;
    this.stub = RateLimitServiceGrpc.newBlockingStub(channel);
    this.async = RateLimitServiceGrpc.newStub(channel);
  }

  private Rls(ManagedChannel channel, RateLimitServiceBlockingStub stub) {
    this.channel = channel;
    this.stub = stub;
    this.async = RateLimitServiceGrpc.newStub(channel);
  }

  static Rls connect(int port) {
    return new Rls(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build());
  }

  static Rls connect(int port, SslContext tls) {
    return new Rls(
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .overrideAuthority("localhost")
            .sslContext(tls)
            .build());
  }

  /** The same connection, with a token. */
  Rls token(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return new Rls(
        channel, stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)));
  }

  static RateLimitRequest request(String name, String value) {
    return RateLimitRequest.newBuilder()
        .setDomain("web")
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(Entry.newBuilder().setKey(name).setValue(value)))
        .build();
  }

  RateLimitResponse ask(RateLimitRequest request) {
    return stub.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS).shouldRateLimit(request);
  }

  /** A hit of one. */
  Code hit(String name, String value) {
    return ask(request(name, value)).getOverallCode();
  }

  RateLimitServiceStub async() {
    return async;
  }

  ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
