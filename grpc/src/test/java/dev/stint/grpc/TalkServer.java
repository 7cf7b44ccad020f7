package dev.stint.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A real server of {@link Talk} on loopback, and a channel to it. */
final class TalkServer implements AutoCloseable {

  private final Talk talk = new Talk();
  private final Server server;
  private final ManagedChannel channel;

  private TalkServer(boolean direct, ServerInterceptor... nearestLast) throws IOException {
    var service = ServerInterceptors.interceptForward(talk.service(), nearestLast);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NettyServerBuilder builder = NettyServerBuilder.forAddress(address).addService(service);
    server = (direct ? builder.directExecutor() : builder).build().start();
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
            .usePlaintext()
            .disableRetry()
            .build();
  }

  /** Calls go through these in order. */
  static TalkServer behind(ServerInterceptor... interceptors) throws IOException {
    return new TalkServer(false, interceptors);
  }

  /** As {@link #behind}; and what they do is done by the threads that read from the sockets. */
  static TalkServer withoutThreadsBehind(ServerInterceptor... interceptors) throws IOException {
    return new TalkServer(true, interceptors);
  }

  List<String> handled() {
    return talk.handled;
  }

  Ended say(String word) throws Exception {
    return say(word, new Metadata());
  }

  Ended say(String word, Metadata sent) throws Exception {
    return begin(Talk.UNARY, sent, word).end();
  }

  Conversation begin(MethodDescriptor<String, String> method, String... words) {
    return begin(method, new Metadata(), words);
  }

  Conversation begin(MethodDescriptor<String, String> method, Metadata sent, String... words) {
    return Conversation.begin(channel, method, sent, words);
  }

  /** Metadata of names and values. */
  static Metadata sent(String... namesAndValues) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      metadata.put(
          Metadata.Key.of(namesAndValues[i], Metadata.ASCII_STRING_MARSHALLER),
          namesAndValues[i + 1]);
    }
    return metadata;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
