package dev.stint.redis;

import io.lettuce.core.protocol.CommandType;

/** The commands by which a server can be told to run the algorithms. */
enum Invocation {
  /** By the name of a function, whose library the server has. */
  FUNCTION(CommandType.FCALL),
  /** By the digest of a script, which the server has seen before. */
  DIGEST(CommandType.EVALSHA),
  /** By the text of a script. */
  SOURCE(CommandType.EVAL);

  private final CommandType command;

  Invocation(CommandType command) {
    this.command = command;
  }

  CommandType command() {
    return command;
  }
}
