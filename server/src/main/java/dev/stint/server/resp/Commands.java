package dev.stint.server.resp;

import dev.stint.algorithm.Operation;
import dev.stint.server.config.Bounds;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.Gate;

/** Finds out what a request wants, and has it answered. */
final class Commands {

  private static final int SHOWN_ARGUMENTS = 8;

  private final Gate gate;
  private final Throttle throttle;
  private final Questions questions;
  private final Greetings greetings;

  Commands(Engine engine, Bounds bounds, Gate gate, Connections connections) {
    this.gate = gate;
    Keys keys = new Keys(bounds.key(), engine.isLocal());
    this.throttle = new Throttle(engine, keys);
    this.questions = new Questions(engine, keys);
    this.greetings = new Greetings(gate, connections);
  }

  void run(Connection connection, Frame frame, Reply reply) {
    Command command = Command.of(frame);
    if (command == null) {
      unknown(frame, reply);
    } else if (!command.isOpen() && !gate.isOpen() && !connection.session().isKnown()) {
      reply.error("NOAUTH Authentication required.");
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

  private static void unknown(Frame frame, Reply reply) {
    StringBuilder sentence = new StringBuilder("ERR unknown command ");
    sentence.append(frame.quoted(0)).append(", with args beginning with: ");
    for (int i = 1; i < Math.min(frame.count(), SHOWN_ARGUMENTS); i++) {
      sentence.append(frame.quoted(i)).append(' ');
    }
    reply.error(sentence.toString());
  }
}
