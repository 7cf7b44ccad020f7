package dev.stint.server.resp;

import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Connections;
import dev.stint.server.net.TokenAuth;
import dev.stint.testkit.ManualTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;

/** A connection without a network, which gets its bytes in exactly the pieces that a test wants. */
final class Bench implements AutoCloseable {

  final ManualTime time = ManualTime.create();
  private final boolean isLocal;
  private final Engine engine;
  private final Desk desk;
  private EmbeddedChannel channel;

  Bench() {
    this(Clients.unspecified(), true);
  }

  Bench(Clients clients, boolean isLocal) {
    this.isLocal = isLocal;
    Configuration configuration = Served.configuration().withClients(clients);
    this.engine = new Engine(configuration, Stores.inMemory(time), Watch.NOBODY);
    TokenAuth auth = new TokenAuth(configuration.clients());
    this.desk = new Desk(engine, configuration.bounds(), auth, new Connections(10));
    this.channel = connect();
  }

  /** Goes on as another client. */
  void reconnect() {
    ChannelFuture unused = channel.close();
    channel = connect();
  }

  private EmbeddedChannel connect() {
    EmbeddedChannel made = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    ChannelHandlerContext last = made.pipeline().firstContext();
    Connection unused = Connection.before(last, desk, isLocal, false);
    return made;
  }

  void send(byte[] bytes, int from, int to) {
    if (channel.isOpen()) {
      channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
    }
  }

  /** All answers so far that were not taken yet. */
  String answers() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      all.append(out.toString(StandardCharsets.ISO_8859_1));
      out.release();
    }
    return all.toString();
  }

  String ask(String requests) {
    byte[] bytes = requests.getBytes(StandardCharsets.ISO_8859_1);
    send(bytes, 0, bytes.length);
    return answers();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() {
    ChannelFuture unused = channel.close();
    engine.close();
  }
}
