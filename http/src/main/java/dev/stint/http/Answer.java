package dev.stint.http;

import dev.stint.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a request: pass it on with some headers, or refuse it.
 *
 * <p>A filter first writes the {@linkplain #headers headers}; then either it sends the {@linkplain
 * #refusal refusal} and calls no handler, or it calls the handler and, when the response is done,
 * {@link #finished}.
 */
public final class Answer {

  private final List<Part> parts;
  private final List<Part> shown;
  private final Headers writer;
  private final @Nullable Refusal refusal;

  private Answer(List<Part> parts, List<Part> shown, Headers writer, @Nullable Refusal refusal) {
    this.parts = parts;
    this.shown = shown;
    this.writer = writer;
    this.refusal = refusal;
  }

  /** A request that no rule is about. */
  static Answer free(Headers writer, @Nullable Answer earlier) {
    return new Answer(List.of(), shown(earlier, List.of()), writer, null);
  }

  /** A request that may not pass for another reason than a limit. */
  static Answer refused(Headers writer, Refusal refusal) {
    return new Answer(List.of(), List.of(), writer, refusal);
  }

  /** A request that was decided. */
  static Answer of(
      List<Part> parts, Headers writer, @Nullable Answer earlier, @Nullable Refusal refusal) {
    return new Answer(parts, shown(earlier, parts), writer, refusal);
  }

  private static List<Part> shown(@Nullable Answer earlier, List<Part> parts) {
    if (earlier == null || earlier.shown.isEmpty()) {
      return parts;
    }
    List<Part> all = new ArrayList<>(earlier.shown);
    all.addAll(parts);
    return all;
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return refusal == null;
  }

  /** The response to send in place of the handler's; empty if the request may pass. */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** The decision that the headers speak of; empty if there was none that clients may see. */
  public Optional<Decision> decision() {
    return Optional.ofNullable(Part.deciding(shown)).map(Part::decision);
  }

  /** Hands every header of the answer to {@code header}, {@code Retry-After} included. */
  public void headers(BiConsumer<String, String> header) {
    Part deciding = Part.deciding(shown);
    if (deciding != null) {
      writer.write(deciding, shown, header);
    }
    if (refusal != null && refusal.retryAfter().isPresent()) {
      header.accept("Retry-After", Long.toString(refusal.retryAfter().getAsLong()));
    }
  }

  /**
   * Tells that the response is done, so that {@linkplain Rule#onlyIf rules that charge only some}
   * can give back what they hold. Call it once, and only if the handler was called.
   */
  public void finished(int status) {
    for (Part part : parts) {
      IntPredicate charged = part.rule().rule().charged();
      if (charged != null && part.decision().allowed() && !charged.test(status)) {
        Refunds.give(part.rule().limiter(), part.decision());
      }
    }
  }
}
