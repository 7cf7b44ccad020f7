package dev.stint.redis;

import dev.stint.Limit;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions that travel in one script call. The script answers them one after the other; each is as
 * atomic as if it travelled alone.
 */
final class Bundle {

  private final List<Pending> pendings;
  private final Map<Limit, Integer> numbers = new LinkedHashMap<>();
  private final Scripts.Loaded script;
  private final int keys;

  Bundle(List<Pending> pendings, Scripts scripts) {
    this.pendings = pendings;
    int algorithms = 0;
    int places = 0;
    for (Pending pending : pendings) {
      Question question = pending.question();
      places += question.size();
      for (int i = 0; i < question.size(); i++) {
        algorithms |= question.terms(i).scriptBit();
        numbers.putIfAbsent(question.limits().get(i).limit(), numbers.size() + 1);
      }
    }
    script = scripts.of(algorithms);
    keys = places;
  }

  boolean isDone() {
    for (Pending pending : pendings) {
      if (!pending.isDone()) {
        return false;
      }
    }
    return true;
  }

  /**
   * The call's arguments.
   *
   * @param whole whether to send the script itself, because the server does not have it
   * @param now the time to decide by; null for the server's own
   */
  CommandArgs<byte[], byte[]> args(boolean whole, @Nullable Long now) {
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    args.add(whole ? script.source() : script.sha()).add(keys);
    for (Pending pending : pendings) {
      pending.question().addKeys(args);
    }
    Packed packed = new Packed(64 + 16 * keys);
    packed.put(1, now == null ? 1 : 0).put(7, now == null ? 0 : now).put(2, numbers.size());
    for (Limit limit : numbers.keySet()) {
      packed.put(Terms.of(limit).packed());
    }
    for (Pending pending : pendings) {
      Question question = pending.question();
      question.writeTo(packed, numbersOf(question));
    }
    args.add(packed.bytes());
    return args;
  }

  private int[] numbersOf(Question question) {
    int[] own = new int[question.size()];
    for (int i = 0; i < own.length; i++) {
      own[i] = numbers.getOrDefault(question.limits().get(i).limit(), 0);
    }
    return own;
  }

  void answered(Reply reply) {
    long now = reply.next(7);
    for (Pending pending : pendings) {
      if (reply.next(1) == 0) {
        pending.answered(Answer.of(pending.question(), now, reply));
      } else {
        refused(pending, reply.text());
      }
    }
  }

  /** What was found in a place concerns that place alone; anything else is the server's trouble. */
  private static void refused(Pending pending, String error) {
    String reason = "Redis answered: " + error;
    if (error.contains("WRONGTYPE") || error.contains("not a state of Stint")) {
      pending.failedInItself(reason);
    } else {
      pending.failed(reason);
    }
  }

  void failed(String reason) {
    for (Pending pending : pendings) {
      pending.failed(reason);
    }
  }
}
