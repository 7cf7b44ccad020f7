package dev.stint.server.resp;

import dev.stint.server.net.Caller;
import dev.stint.server.net.Connections;
import dev.stint.server.net.TokenAuth;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What clients of Redis say before they come to the point, and now and then after it. */
final class Greetings {

  private static final String VERSION = version();
  private static final String WRONG_TOKEN =
      "WRONGPASS invalid username-password pair or user is disabled.";
  private static final int LONGEST_NAME = 256;
  private static final String NAME_TOO_LONG =
      "ERR a client's name must have at most " + LONGEST_NAME + " bytes";
  private static final String SYNTAX = "ERR syntax error: the command is ";

  private final TokenAuth auth;
  private final Connections connections;

  Greetings(TokenAuth auth, Connections connections) {
    this.auth = auth;
    this.connections = connections;
  }

  private static String version() {
    String version = Greetings.class.getPackage().getImplementationVersion();
    return version == null ? "0.0.0" : version;
  }

  void run(Command command, Connection connection, Frame frame, Reply reply) {
    Session session = connection.session();
    switch (command) {
      case PING -> ping(frame, reply);
      case ECHO -> reply.bulk(frame.copy(1, new byte[frame.length(1)]));
      case HELLO -> hello(session, frame, reply);
      case AUTH -> auth(session, frame, reply);
      case CLIENT -> client(session, frame, reply);
      case COMMAND -> commands(session, frame, reply);
      case CONFIG -> config(session, frame, reply);
      case SELECT -> select(frame, reply);
      case INFO -> reply.bulk(info());
      case RESET -> {
        session.reset(auth.anonymous());
        reply.simple("RESET");
      }
      case QUIT -> {
        reply.ok();
        connection.end();
      }
      default -> throw new IllegalArgumentException("no greeting: " + command);
    }
  }

  private static void ping(Frame frame, Reply reply) {
    if (frame.count() == 1) {
      reply.raw(PONG);
    } else {
      reply.bulk(frame.copy(1, new byte[frame.length(1)]));
    }
  }

  private static final byte[] PONG = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);

  // ---- who is there ----

  /** Everything in it counts, or nothing. */
  private void hello(Session session, Frame frame, Reply reply) {
    int protocol = session.protocol();
    String token = null;
    String name = null;
    if (frame.count() > 1) {
      long asked = frame.number(1, 0);
      if (asked != 2 && asked != 3) {
        reply.error("NOPROTO unsupported protocol version");
        return;
      }
      protocol = (int) asked;
    }
    for (int at = 2; at < frame.count(); ) {
      String word = frame.text(at).toLowerCase(Locale.ROOT);
      int left = frame.count() - at - 1;
      if (word.equals("auth") && left >= 2) {
        if (!isClient(frame.text(at + 1), frame.text(at + 2))) {
          reply.error(WRONG_TOKEN);
          return;
        }
        token = frame.text(at + 2);
        at += 3;
      } else if (word.equals("setname") && left >= 1) {
        if (frame.length(at + 1) > LONGEST_NAME) {
          reply.error(NAME_TOO_LONG);
          return;
        }
        name = frame.text(at + 1);
        at += 2;
      } else {
        reply.error(SYNTAX + Command.HELLO.usage());
        return;
      }
    }
    session.speak(protocol);
    if (token != null) {
      session.login(auth.login(token));
    }
    if (name != null) {
      session.name(name);
    }
    introduce(session, reply);
  }

  private static void introduce(Session session, Reply reply) {
    reply.map(7, session.isModern());
    reply.bulk("server").bulk("stint");
    reply.bulk("version").bulk(VERSION);
    reply.bulk("proto").integer(session.protocol());
    reply.bulk("id").integer(session.id());
    reply.bulk("mode").bulk("standalone");
    reply.bulk("role").bulk("master");
    reply.bulk("modules").array(0);
  }

  private void auth(Session session, Frame frame, Reply reply) {
    boolean named = frame.count() == 3;
    String token = frame.text(named ? 2 : 1);
    if (isClient(named ? frame.text(1) : null, token)) {
      session.login(auth.login(token));
      reply.ok();
    } else {
      reply.error(WRONG_TOKEN);
    }
  }

  /** Where no token is needed, any will do. */
  private boolean isClient(@Nullable String name, String token) {
    if (!auth.needsToken()) {
      return true;
    }
    Caller client = auth.login(token).caller();
    return client.isKnown()
        && (name == null || name.equals("default") || name.equals(client.name()));
  }

  // ---- questions of clients and of people ----

  private static void client(Session session, Frame frame, Reply reply) {
    switch (frame.text(1).toLowerCase(Locale.ROOT)) {
      case "id" -> reply.integer(session.id());
      case "info", "list" -> reply.bulk(describe(session));
      case "getname" -> {
        if (session.name().isEmpty()) {
          reply.nothing(session.isModern());
        } else {
          reply.bulk(session.name());
        }
      }
      case "setname" -> {
        if (frame.count() == 3 && frame.length(2) > LONGEST_NAME) {
          reply.error(NAME_TOO_LONG);
        } else if (frame.count() == 3) {
          session.name(frame.text(2));
          reply.ok();
        } else {
          reply.error(SYNTAX + "CLIENT SETNAME name");
        }
      }
      case "setinfo", "no-evict", "no-touch" -> reply.ok();
      default ->
          reply.error(
              "ERR unknown subcommand " + frame.quoted(1) + ". It is " + Command.CLIENT.usage());
    }
  }

  private static String describe(Session session) {
    return "id="
        + session.id()
        + " name="
        + Words.of(session.name())
        + " db=0 resp="
        + session.protocol()
        + "\n";
  }

  private static void commands(Session session, Frame frame, Reply reply) {
    Command[] all = Command.values();
    switch (frame.count() == 1 ? "" : frame.text(1).toLowerCase(Locale.ROOT)) {
      case "count" -> reply.integer(all.length);
      case "docs" -> reply.map(0, session.isModern());
      case "list" -> {
        reply.array(all.length);
        for (Command command : all) {
          reply.bulk(command.word());
        }
      }
      case "", "info" -> {
        reply.array(all.length);
        for (Command command : all) {
          boolean keyed = command.name().contains("_");
          int key = !keyed ? 0 : command == Command.CL_THROTTLE ? 1 : 2;
          reply.array(6).bulk(command.word()).integer(command.arity()).array(0);
          reply.integer(key).integer(key).integer(keyed ? 1 : 0);
        }
      }
      default ->
          reply.error(
              "ERR unknown subcommand " + frame.quoted(1) + ". It is " + Command.COMMAND.usage());
    }
  }

  private static void config(Session session, Frame frame, Reply reply) {
    if (frame.text(1).equalsIgnoreCase("get")) {
      reply.map(0, session.isModern());
    } else {
      reply.error("ERR unknown subcommand " + frame.quoted(1) + ". It is CONFIG GET name");
    }
  }

  private static void select(Frame frame, Reply reply) {
    if (frame.number(1, -1) == 0) {
      reply.ok();
    } else {
      reply.error("ERR DB index is out of range: it must be 0");
    }
  }

  private String info() {
    return "# Server\r\nserver_name:stint\r\nstint_version:"
        + VERSION
        + "\r\nredis_mode:standalone\r\nrole:master\r\n# Clients\r\nconnected_clients:"
        + connections.open()
        + "\r\n";
  }
}
