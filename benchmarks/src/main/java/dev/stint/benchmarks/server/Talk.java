package dev.stint.benchmarks.server;

import java.nio.ByteBuffer;

/**
 * What is said on one connection. Requests are numbered from zero in the order they are asked.
 *
 * <p>It costs as little as it can: whoever asks shares the processors with who answers.
 */
interface Talk {

  /** Says what is said before the first request. */
  default void greet(ByteBuffer out) {}

  /** Asks the next request. */
  void ask(ByteBuffer out);

  /**
   * Takes in what came.
   *
   * @return where what is not yet whole begins
   * @throws WrongReply if an answer is not what it must be
   */
  int hear(byte[] bytes, int from, int to, Replies replies) throws WrongReply;

  /** Says what the protocol wants said in between. */
  default void courtesies(ByteBuffer out) {}

  /** Who is told of answers. */
  interface Replies {

    /** The request of this number was answered. */
    void answered(long number, boolean allowed);
  }
}
