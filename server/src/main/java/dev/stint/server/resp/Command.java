package dev.stint.server.resp;

import static dev.stint.server.config.Permission.CHANGE;
import static dev.stint.server.config.Permission.DECIDE;

import dev.stint.server.config.Permission;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands that are understood. */
enum Command {
  CL_THROTTLE(DECIDE, 5, 6, "CL.THROTTLE key max_burst count_per_period period_s [quantity]"),
  STINT_HIT(DECIDE, 3, 4, "STINT.HIT policy key [cost]"),
  STINT_PEEK(DECIDE, 3, 4, "STINT.PEEK policy key [cost]"),
  STINT_RESET(CHANGE, 3, 3, "STINT.RESET policy key"),
  PING(1, 2, "PING [message]"),
  ECHO(2, 2, "ECHO message"),
  HELLO(1, Frame.MOST_ARGUMENTS, "HELLO [2|3 [AUTH name token] [SETNAME name]]"),
  AUTH(2, 3, "AUTH [name] token"),
  CLIENT(2, Frame.MOST_ARGUMENTS, "CLIENT ID|INFO|LIST|SETNAME name|GETNAME|SETINFO what text"),
  COMMAND(1, Frame.MOST_ARGUMENTS, "COMMAND [COUNT|DOCS|INFO|LIST]"),
  CONFIG(2, Frame.MOST_ARGUMENTS, "CONFIG GET name"),
  SELECT(2, 2, "SELECT 0"),
  INFO(1, Frame.MOST_ARGUMENTS, "INFO [section]"),
  RESET(1, 1, "RESET"),
  QUIT(1, Frame.MOST_ARGUMENTS, "QUIT");

  private static final Command[] ALL = values();

  @SuppressWarnings("ImmutableEnumChecker") // it is never given away
  private final byte[] word;

  private final @Nullable Permission needs;
  private final int least;
  private final int most;
  private final String usage;

  Command(int least, int most, String usage) {
    this(null, least, most, usage);
  }

  Command(@Nullable Permission needs, int least, int most, String usage) {
    this.needs = needs;
    this.word =
        name().replace('_', '.').toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    this.least = least;
    this.most = most;
    this.usage = usage;
  }

  /** The command that a request begins with; null if there is no such command. */
  static @Nullable Command of(Frame frame) {
    for (Command command : ALL) { // those that matter come first
      if (frame.isWord(0, command.word)) {
        return command;
      }
    }
    return null;
  }

  /** Whether a request may have so many words. */
  boolean takes(int words) {
    return words >= least && words <= most;
  }

  /** Its name in small letters. */
  String word() {
    return new String(word, StandardCharsets.US_ASCII);
  }

  String usage() {
    return usage;
  }

  /** How many words a request has, as Redis tells it: negative for at least so many. */
  int arity() {
    return least == most ? least : -least;
  }

  /** What a client must be allowed to do; null for nothing in particular. */
  @Nullable Permission needs() {
    return needs;
  }

  /** Whether it is for everybody, with or without a token. */
  boolean isOpen() {
    return this == PING || this == HELLO || this == AUTH || this == QUIT || this == RESET;
  }
}
