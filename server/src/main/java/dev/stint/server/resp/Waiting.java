package dev.stint.server.resp;

import dev.stint.Decision;
import org.jspecify.annotations.Nullable;

/** An answer that waits for its turn, and perhaps for the store. */
final class Waiting {

  /** How a decision is told. */
  interface Form {
    void tell(Reply reply, Decision decision);
  }

  private final @Nullable Form form;
  private volatile @Nullable Decision decision;
  private volatile @Nullable String failure;
  private final byte @Nullable [] ready;

  private Waiting(@Nullable Form form, byte @Nullable [] ready) {
    this.form = form;
    this.ready = ready;
  }

  /** An answer that follows from a decision to come. */
  static Waiting forDecision(Form form) {
    return new Waiting(form, null);
  }

  /** An answer that only has to wait for those before it. */
  static Waiting forTurn(byte[] answer) {
    return new Waiting(null, answer);
  }

  void decided(Decision made) {
    decision = made;
  }

  /** Instead of a decision there is this error to tell. */
  void failed(String error) {
    failure = error;
  }

  boolean isReady() {
    return ready != null || decision != null || failure != null;
  }

  void tell(Reply reply) {
    byte[] bytes = ready;
    Decision made = decision;
    if (bytes != null) {
      reply.raw(bytes);
    } else if (form != null && made != null) {
      form.tell(reply, made);
    } else {
      reply.error(String.valueOf(failure));
    }
  }
}
