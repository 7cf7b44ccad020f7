package dev.stint.server.resp;

import dev.stint.Decision;
import dev.stint.StoreException;
import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.DrainEvent;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.RejectionCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, in the place where Vert.x would make buffers and events of what comes
 * in: here it is read as it is, and all answers to what came at once go out at once.
 *
 * <p>Answers keep the order of the requests. As long as nothing {@linkplain #later waits}, they are
 * written straight away; behind one that waits, they wait too.
 *
 * <p>Nothing is read from a client that does not read its answers, or that waits for too many.
 */
final class Connection extends ChannelInboundHandlerAdapter {

  private static final int MOST_WAITING = 1024;
  private static final int MOST_UNSENT = 16 << 10;
  private static final int SMALL = 4 << 10;
  private static final byte[] NONE = {};

  /** What a request costs that waits for the store. */
  private static final int WAITING_BYTES = 512;

  private final Session session;
  private final Desk desk;
  private final ChannelHandlerContext context;
  private final ConnectionBudget budget;
  private final Parting parting;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
  private final AtomicBoolean called = new AtomicBoolean();

  // What was received and could not be answered yet; mostly nothing.
  private byte[] rest = NONE;
  private int restLength;
  private long partSince;

  private boolean busy;
  private boolean reading = true;
  private boolean inputEnded;
  private boolean ending;
  private boolean full;
  private int waitingHeld;

  private Connection(Desk desk, ChannelHandlerContext context, boolean isLocal, boolean encrypted) {
    this.session = desk.session(isLocal);
    this.desk = desk;
    this.context = context;
    this.budget = ConnectionBudget.of(context.channel());
    this.parting = new Parting(context, encrypted);
  }

  /** Reads from now on what Vert.x's own handler would have read. All else still comes to it. */
  static Connection before(
      ChannelHandlerContext vertx, Desk desk, boolean isLocal, boolean encrypted) {
    Connection connection = new Connection(desk, vertx, isLocal, encrypted);
    connection.budget.countsItself();
    vertx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    vertx.pipeline().addBefore(vertx.name(), "resp", connection);
    return connection;
  }

  Session session() {
    return session;
  }

  // ---- reading ----

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf received = (ByteBuf) message;
    try {
      if (!ending) {
        busy = true;
        desk.reply().clear(); // whatever went wrong before is not for this client
        take(received);
        send();
        busy = false;
        if (!mayAnswer()) {
          read(false); // at once: what else has come by now would all be kept
        }
      }
    } finally {
      received.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    context.flush();
    goOn();
  }

  private void take(ByteBuf received) {
    int size = received.readableBytes();
    if (restLength == 0) {
      byte[] inbox = desk.inbox(size);
      received.readBytes(inbox, 0, size);
      keep(inbox, answer(inbox, size), size);
    } else {
      if (rest.length < restLength + size) {
        rest(Arrays.copyOf(rest, Math.max(2 * rest.length, restLength + size)));
      }
      received.readBytes(rest, restLength, size);
      keep(rest, answer(rest, restLength + size), restLength + size);
    }
  }

  /** Keeps what could not be answered yet. */
  private void keep(byte[] bytes, int from, int to) {
    restLength = ending ? 0 : to - from;
    if (restLength == 0) {
      partSince = 0;
      if (rest.length > SMALL) {
        rest(NONE);
      }
      return;
    }
    long now = System.nanoTime();
    if (from > 0 || partSince == 0) {
      partSince = now;
    } else if (now - partSince > desk.bounds().idle().toNanos()) {
      desk.counters().rejected(RejectionCause.TOO_SLOW);
      end(); // a request that trickles in byte by byte: a connection is not to be had so cheaply
    }
    if (rest.length >= restLength) {
      System.arraycopy(bytes, from, rest, 0, restLength);
    } else {
      rest(Arrays.copyOfRange(bytes, from, to));
    }
  }

  /** Keeps what is left in another array, which is counted. */
  private void rest(byte[] other) {
    int more = other.length - rest.length;
    if (more <= 0) {
      budget.release(-more);
    } else if (!budget.hold(more)) {
      rest = NONE;
      restLength = 0;
      budget.rejected(RejectionCause.MEMORY);
      ChannelFuture unused = context.channel().close();
      return;
    }
    rest = other;
  }

  /**
   * Answers all requests that are complete, or as many as may be.
   *
   * @return where the first begins that was not answered
   */
  private int answer(byte[] bytes, int to) {
    Frame frame = desk.frame();
    Reply reply = desk.reply();
    int from = 0;
    while (from < to && mayAnswer()) {
      Frame.Found found = frame.read(bytes, from, to);
      if (found == Frame.Found.PART) {
        return from;
      }
      int mark = reply.length();
      from = frame.end();
      if (found == Frame.Found.REQUEST) {
        run(frame, reply, mark);
      } else if (found == Frame.Found.NONSENSE) {
        desk.counters().rejected(RejectionCause.PROTOCOL);
        reply.error(frame.error());
        end();
      }
      if (!waiting.isEmpty()) {
        queue(reply, mark);
      }
      if (ending) {
        return to;
      }
      if (reply.length() > MOST_UNSENT) {
        send();
        context.flush();
      }
    }
    return from;
  }

  private boolean mayAnswer() {
    return !full && waiting.size() < MOST_WAITING && context.channel().isWritable();
  }

  private void run(Frame frame, Reply reply, int mark) {
    try {
      desk.commands().run(this, frame, reply);
    } catch (RuntimeException | AssertionError | StackOverflowError e) { // a defect of ours
      InternalErrors.log("resp", e);
      desk.counters().rejected(RejectionCause.INTERNAL_ERROR);
      reply.cut(mark);
      reply.error("ERR " + InternalErrors.SENTENCE);
    }
  }

  // ---- answers that wait ----

  /** Answers once the decision is there, in its turn. */
  void later(CompletionStage<Decision> decision, Waiting.Form form) {
    Waiting answer = Waiting.forDecision(form);
    waiting.add(answer);
    if (budget.hold(WAITING_BYTES)) {
      waitingHeld++;
    } else {
      full = true; // until those that wait are answered
    }
    decision.whenComplete((made, failure) -> arrived(answer, made, failure));
  }

  /** On whatever thread. */
  private void arrived(Waiting answer, @Nullable Decision made, @Nullable Throwable failure) {
    if (made != null) {
      answer.decided(made);
    } else {
      answer.failed(sentence(failure));
    }
    if (called.compareAndSet(false, true)) { // one call for all that arrive until it is heard
      context.executor().execute(this::deliver);
    }
  }

  /** Why the store is away is in the log. */
  private String sentence(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof StoreException) {
      desk.counters().rejected(RejectionCause.STORE);
      return "ERR the store cannot be reached; try again";
    }
    desk.counters().rejected(RejectionCause.INTERNAL_ERROR);
    InternalErrors.log("resp", cause == null ? new IllegalStateException("no answer") : cause);
    return "ERR " + InternalErrors.SENTENCE;
  }

  private void queue(Reply reply, int mark) {
    if (reply.length() > mark) {
      waiting.add(Waiting.forTurn(reply.takeFrom(mark)));
    }
    tellReady(reply);
  }

  private void tellReady(Reply reply) {
    for (Waiting next = waiting.peek(); next != null && next.isReady(); next = waiting.peek()) {
      waiting.remove();
      next.tell(reply);
    }
    if (waitingHeld > waiting.size()) {
      budget.release((long) WAITING_BYTES * (waitingHeld - waiting.size()));
      waitingHeld = waiting.size();
    }
    full &= !waiting.isEmpty();
  }

  private void deliver() {
    called.set(false);
    busy = true;
    desk.reply().clear();
    tellReady(desk.reply());
    send();
    busy = false;
    context.flush();
    goOn();
  }

  // ---- sending ----

  private void send() {
    Reply reply = desk.reply();
    int size = reply.length();
    if (size > 0) {
      ByteBuf out = context.alloc().ioBuffer(size);
      out.writeBytes(reply.bytes(), 0, size);
      reply.clear();
      budget.answered();
      ChannelFuture unused = context.write(out, context.voidPromise());
    }
  }

  private void read(boolean on) {
    reading = on;
    context.channel().config().setAutoRead(on);
  }

  /** After something has changed: goes on with what had to wait, reads on or not, or ends. */
  private void goOn() {
    if (busy) {
      return; // a flush inside an answer tells that there is room; the answer goes on by itself
    }
    if (!reading && restLength > 0 && !ending && mayAnswer()) {
      busy = true;
      int size = restLength;
      keep(rest, answer(rest, size), size);
      send();
      busy = false;
      context.flush();
    }
    boolean may = mayAnswer();
    if (may != reading && !ending) {
      read(may);
    }
    if (inputEnded && may) {
      ending = true;
    }
    if (ending && waiting.isEmpty()) {
      parting.hangUp(inputEnded);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    goOn();
    ctx.fireChannelWritabilityChanged();
  }

  // ---- the end ----

  /** Answers what was asked, and no more. */
  void end() {
    ending = true;
  }

  /** No more will be received, but what was received is answered. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      goOn();
    } else if (event instanceof DrainEvent stop) {
      stop.take();
      inputEnded = true;
      goOn();
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    ending = true;
    rest = NONE;
    restLength = 0;
    waiting.clear();
    ctx.fireChannelInactive();
  }
}
