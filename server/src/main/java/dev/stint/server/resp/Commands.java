package dev.stint.server.resp;

import dev.stint.algorithm.Operation;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Permission;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Caller;
import dev.stint.server.net.Connections;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.WireCounters;
import java.nio.charset.StandardCharsets;

/** Finds out what a request wants, and has it answered. */
final class Commands {

  private static final int SHOWN_ARGUMENTS = 8;

  private static final byte[] POST = "post".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HOST = "host:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);

  private final Throttle throttle;
  private final Questions questions;
  private final Greetings greetings;
  private final WireCounters counters;

  Commands(Engine engine, Bounds bounds, TokenAuth auth, Connections connections) {
    Keys keys = new Keys(bounds.key(), engine.isLocal());
    this.throttle = new Throttle(engine, keys);
    this.questions = new Questions(engine, keys);
    this.greetings = new Greetings(auth, connections);
    this.counters = connections.counters();
  }

  void run(Connection connection, Frame frame, Reply reply) {
    int mark = reply.length();
    counters.request();
    dispatch(connection, frame, reply);
    RejectionCause cause = reply.rejectionSince(mark);
    if (cause != null) {
      counters.rejected(cause);
    }
  }

  private void dispatch(Connection connection, Frame frame, Reply reply) {
    Command command = Command.of(frame);
    if (command == null) {
      if (isHttp(frame)) {
        counters.rejected(RejectionCause.PROTOCOL);
        connection.end(); // without an answer, and without reading what may be hidden in its body
      } else {
        unknown(frame, reply);
      }
    } else if (isDenied(command, connection.session(), reply)) {
      return;
    } else if (!command.takes(frame.count())) {
      reply.error(
          "ERR wrong number of arguments for '"
              + command.word()
              + "' command: it is "
              + command.usage());
    } else {
      switch (command) {
        case CL_THROTTLE -> throttle.run(connection, frame, reply);
        case STINT_HIT -> questions.ask(Operation.HIT, connection, frame, reply);
        case STINT_PEEK -> questions.ask(Operation.PEEK, connection, frame, reply);
        case STINT_RESET -> questions.reset(connection, frame, reply);
        default -> greetings.run(command, connection, frame, reply);
      }
    }
  }

  /**
   * Whether this is a line of an HTTP request. A web page can have a browser send one to this port,
   * with commands in its body. Redis closes on {@code POST} and {@code Host:} for that reason; here
   * the first line of every method will do.
   */
  private static boolean isHttp(Frame frame) {
    return frame.isWord(0, POST)
        || frame.isWord(0, HOST)
        || (frame.count() == 3 && frame.startsWith(2, HTTP));
  }

  private static boolean isDenied(Command command, Session session, Reply reply) {
    if (command.isOpen()) {
      return false;
    }
    Caller caller = session.caller();
    Permission needed = command.needs();
    if (!caller.isKnown()) {
      reply.error("NOAUTH Authentication required.");
      return true;
    }
    Caller.Denial denial = needed == null ? null : caller.denial(needed, session.isLocal());
    if (denial != null) {
      reply.error("NOPERM " + denial.sentence());
    }
    return denial != null;
  }

  private static void unknown(Frame frame, Reply reply) {
    StringBuilder sentence = new StringBuilder("ERR unknown command ");
    sentence.append(frame.quoted(0)).append(", with args beginning with: ");
    for (int i = 1; i < Math.min(frame.count(), SHOWN_ARGUMENTS); i++) {
      sentence.append(frame.quoted(i)).append(' ');
    }
    reply.error(sentence.toString());
  }
}
