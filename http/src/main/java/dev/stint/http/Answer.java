package dev.stint.http;

import dev.stint.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a request: pass it on with some headers, or refuse it.
 *
 * <p>A filter first writes the {@linkplain #headers headers}; then either it sends the {@linkplain
 * #refusal refusal} and calls no handler, or it calls the handler and, when the response is done,
 * {@link #finished}.
 */
public final class Answer {

  /**
   * The attribute of a request under which filters leave the answer, so that a handler can see what
   * is left: {@code answer.decision()}. With several filters it is the last one's, which speaks of
   * all.
   */
  public static final String ATTRIBUTE = "dev.stint.http.Answer";

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

  /** This answer, with headers that also speak of what another limiter answered before. */
  public Answer after(@Nullable Answer earlier) {
    return earlier == null ? this : new Answer(parts, shown(earlier, shown), writer, refusal);
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
    writer.write(told(), header);
    if (refusal != null && refusal.retryAfter().isPresent()) {
      header.accept("Retry-After", Long.toString(refusal.retryAfter().getAsLong()));
    }
  }

  /** As {@link #finished(Completion)}, where only the status is known. */
  public void finished(int status) {
    finished(Completion.of(status));
  }

  /** Parts of which something is known: a store that cannot be asked does not say what is left. */
  private List<Part> told() {
    return refusal == null || refusal.reason() != Refusal.Reason.STORE_UNAVAILABLE
        ? shown
        : shown.stream().filter(part -> !part.isUncounted()).toList();
  }

  /**
   * Tells that the response is done, so that {@linkplain Rule#chargeIf rules that charge only some}
   * can give back what they hold. Call it once, and only if the handler was called.
   */
  public void finished(Completion completion) {
    for (Part part : parts) {
      Predicate<Completion> charged = part.rule().rule().charged();
      if (charged != null && part.decision().allowed() && !charged.test(completion)) {
        Refunds.give(part.rule().limiter(), part.decision());
      }
    }
  }
}
