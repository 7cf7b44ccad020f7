package dev.stint.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls that travel in one script call. The script answers them one after the other; each is as
 * atomic as if it travelled alone.
 *
 * <p>A batch that is not answered within the time that a decision may take speaks against the
 * server, whatever became of its calls: what it had to wait for is bounded, see {@link CallQueue}.
 * A large one is the exception. How long that takes depends on us, so a probe is sent to find out.
 */
final class Batch extends DeadlineQueue.Entry {

  private static final int ROOM = 64;
  private static final long STALLED_NANOS = 5_000_000;

  private final Breaker breaker;
  private final CommandDispatcher dispatcher;
  private final List<PendingCall> calls;
  private int places;
  private boolean large;

  // Guarded by the lock of the CallQueue.
  boolean holdsSlot;
  boolean holdsLarge;

  private volatile boolean beingSent;
  private volatile boolean sent;
  private long expected;
  private volatile boolean abandoned;

  Batch(Breaker breaker, CommandDispatcher dispatcher, int room) {
    super(1);
    this.breaker = breaker;
    this.dispatcher = dispatcher;
    this.calls = new ArrayList<>(Math.min(room, ROOM));
  }

  /** Adds a call; there must be room for it. */
  void add(PendingCall call, boolean isLarge) {
    calls.add(call);
    places += call.question().size();
    large = isLarge;
  }

  List<PendingCall> calls() {
    return calls;
  }

  int size() {
    return calls.size();
  }

  int places() {
    return places;
  }

  boolean isLarge() {
    return large;
  }

  Breaker breaker() {
    return breaker;
  }

  /** Whether a thread is about to send this, which goes on with the next batch afterwards. */
  boolean isBeingSent() {
    return beingSent;
  }

  void beingSent(boolean now) {
    beingSent = now;
  }

  boolean isDone() {
    for (PendingCall call : calls) {
      if (!call.isDone()) {
        return false;
      }
    }
    return true;
  }

  /**
   * The call's arguments.
   *
   * @param how the command whose arguments these are
   * @param now the time to decide by; null for the server's own
   */
  CommandArgs<byte[], byte[]> args(Scripts scripts, Invocation how, @Nullable Long now) {
    CallLimits limits = new CallLimits();
    Packed packed = new Packed(16 * places);
    for (PendingCall call : calls) {
      call.question().writeTo(packed, limits);
    }
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    args.add(name(scripts, how, limits)).add(places);
    for (PendingCall call : calls) {
      call.question().addKeys(args);
    }
    args.add(packed.bytes());
    limits.addTo(args);
    if (now != null) {
      args.add(new Packed(7).put(7, now).bytes());
    }
    return args;
  }

  private static String name(Scripts scripts, Invocation how, CallLimits limits) {
    return switch (how) {
      case FUNCTION -> scripts.library().name();
      case DIGEST -> scripts.of(limits.algorithms()).sha();
      case SOURCE -> scripts.of(limits.algorithms()).source();
    };
  }

  /** From here on Redis may have run the calls. */
  void sent() {
    sent = true;
  }

  /** Notes when an answer should have come, and returns that. */
  long expectedBy(long moment) {
    expected = moment;
    return moment;
  }

  void answered(Reply reply) {
    long now = reply.next(7);
    for (PendingCall call : calls) {
      if (reply.next(1) == 0) {
        if (!abandoned) {
          breaker.succeeded();
        }
        call.answered(Answer.of(call.question(), now, reply));
      } else {
        refused(call, reply.text());
      }
    }
  }

  /** What was found in a place concerns that place alone; anything else is the server's trouble. */
  private void refused(PendingCall call, String error) {
    String reason = "Redis answered: " + error;
    boolean first = call.fail(reason);
    if (first && !error.contains("WRONGTYPE") && !error.contains("not a state of Stint")) {
      breaker.failed(reason);
    }
  }

  /** Ends the calls with a failure that speaks against the server. */
  void failed(String reason) {
    for (PendingCall call : calls) {
      if (call.fail(reason)) {
        breaker.failed(reason);
      }
    }
  }

  /** Ends the calls with a failure that is our own. */
  void failedHere(String reason) {
    for (PendingCall call : calls) {
      call.fail(reason);
    }
  }

  /** First gives the batch up, so that others may be sent; then forgets it. */
  @Override
  void expire() {
    if (abandoned) {
      dispatcher.giveUp(this);
      return;
    }
    abandoned = true;
    dispatcher.abandon(this);
    // If this comes late, the process itself was stalled, and answers may lie unread.
    boolean stalled = System.nanoTime() - expected > STALLED_NANOS;
    if (large || stalled || !sent) {
      dispatcher.check(breaker);
    } else {
      breaker.failed(dispatcher.tooLate());
    }
  }
}
