package dev.stint.redis;

import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;

/** The commands by which a server can be told to run the algorithms. */
enum Invocation {
  /** By the name of a function, whose library the server has. */
  FUNCTION(CommandType.FCALL),
  /** By the digest of a script, which the server has seen before. */
  DIGEST(CommandType.EVALSHA),
  /** By the text of a script. */
  SOURCE(CommandType.EVAL);

  private final ProtocolKeyword command;

  Invocation(ProtocolKeyword command) {
    this.command = command;
  }

  ProtocolKeyword command() {
    return command;
  }
}
