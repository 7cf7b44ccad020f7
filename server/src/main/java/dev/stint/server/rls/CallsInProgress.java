package dev.stint.server.rls;

import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that are in progress. A call that the client has reset still counts
 * until its decision is made.
 *
 * <p>That is the protection against rapid resets: a client that opens and resets streams can have
 * no more work done at a time than one that waits for its answers. Counting resets instead would
 * end connections of Envoy, which resets every call that takes longer than its timeout of 20 ms.
 */
final class CallsInProgress {

  private final int most;
  private int count;

  CallsInProgress(int most) {
    this.most = most;
  }

  /** Counts one more; null if there are too many. */
  @Nullable Call begin() {
    if (count >= most) {
      return null;
    }
    count++;
    return new Call();
  }

  int count() {
    return count;
  }

  /** One call: in progress while its stream is open or its decision is not made. */
  final class Call {
    private volatile boolean isStreamClosed; // also read where large calls are decided
    private boolean isWorking;
    private boolean isAnswered;

    /** Stands for the connection in queues that may outlive it, and keeps nothing of it. */
    CallsInProgress ofConnection() {
      return CallsInProgress.this;
    }

    void working() {
      isWorking = true;
    }

    void worked() {
      if (isWorking) {
        isWorking = false;
        leaveIfOver();
      }
    }

    boolean isStreamOpen() {
      return !isStreamClosed;
    }

    /** Its decision is about to be sent. */
    void answered() {
      isAnswered = true;
    }

    /** Whether it is answered with a decision, so that it was not rejected. */
    boolean isAnswered() {
      return isAnswered;
    }

    void streamClosed() {
      if (!isStreamClosed) {
        isStreamClosed = true;
        leaveIfOver();
      }
    }

    private void leaveIfOver() {
      if (isStreamClosed && !isWorking) {
        count--;
      }
    }
  }
}
