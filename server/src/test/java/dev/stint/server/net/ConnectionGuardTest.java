package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionGuardTest {

  /** Counts the calls of the system that sending would be. What is not sent is lost at the end. */
  private static final class Socket extends ChannelOutboundHandlerAdapter {
    private final StringBuilder written = new StringBuilder();
    private String sent = "";
    private int flushes;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      written.append(((ByteBuf) message).toString(StandardCharsets.US_ASCII));
      ReferenceCountUtil.release(message);
      promise.setSuccess();
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      flushes++;
      sent = context.channel().isOpen() ? written.toString() : sent;
    }
  }

  /** Sends back what it reads, at once. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ChannelFuture unused = context.writeAndFlush(message);
    }
  }

  private final Socket socket = new Socket();
  private final EmbeddedChannel channel = new EmbeddedChannel();

  ConnectionGuardTest() {
    ConnectionBudget budget = ConnectionBudget.of(channel);
    ConnectionGuard guard = new ConnectionGuard(budget, () -> {}, () -> {}, () -> {});
    channel.pipeline().addLast(socket, guard, new Echo());
  }

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
  }

  private void inOneTask(Runnable work) {
    channel.eventLoop().submit(work).addListener(done -> assertThat(done.cause()).isNull());
    channel.runPendingTasks();
  }

  private void answer(String text) {
    ChannelFuture unused =
        channel.pipeline().writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  @Test
  void answers_that_come_together_are_sent_together() {
    inOneTask(
        () -> {
          answer("a");
          answer("b");
          answer("c");
        });

    assertThat(socket.sent).isEqualTo("abc");
    assertThat(socket.flushes).isEqualTo(1);
  }

  @Test
  void an_answer_to_what_is_being_read_is_sent_as_its_protocol_says() {
    channel.writeInbound(Unpooled.copiedBuffer("a", StandardCharsets.US_ASCII));

    assertThat(socket.flushes).isEqualTo(1);
    assertThat(socket.sent).isEqualTo("a");
  }

  @Test
  void many_answers_do_not_wait_for_each_other() {
    inOneTask(
        () -> {
          for (int i = 0; i < 100; i++) {
            answer("x");
          }
          assertThat(socket.flushes).isEqualTo(1);
        });

    assertThat(socket.sent).hasSize(100);
    assertThat(socket.flushes).isEqualTo(2);
  }

  @Test
  void an_answer_before_the_end_of_the_connection_is_sent() {
    inOneTask(
        () -> {
          answer("bye");
          ChannelFuture unused = channel.pipeline().close();
        });

    assertThat(socket.sent).isEqualTo("bye");
    assertThat(channel.isOpen()).isFalse();
    assertThat(socket.flushes).isEqualTo(1);
  }

  private void receive(String text) {
    channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  @Test
  void what_a_client_sent_before_it_closed_is_not_decoded_if_it_was_not_to_be_read() {
    channel.config().setAutoRead(false); // as while requests wait to be answered
    receive("a");
    receive("b"); // a second piece without a pause: Netty reads all that is left of the client
    receive("c");
    channel.pipeline().fireChannelReadComplete();

    assertThat(socket.written).hasToString("a");
  }
}
