package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of one bucket, taken from a store ahead of need.
 *
 * <p>They are handed out from the moment they are asked for: who takes some while they are under
 * way waits for them to arrive, and then has them for certain. So nobody waits for more than one
 * trip, and all who come meanwhile share it.
 */
final class Lease {

  /** What {@link #take} answers if there is not enough. */
  static final long NONE = 0;

  /** Tokens that the store has handed over, and how far its clock is ahead of ours. */
  private record Chunk(KeyedLimit charge, long ahead) {}

  private final KeyedLimit request;
  private final long taken;
  private final long life;
  private final AtomicLong left;
  private volatile long lastHit;
  private final CompletableFuture<Optional<Chunk>> arrival = new CompletableFuture<>();

  /** A lease of so many tokens; the hit that needs it has already taken its cost. */
  Lease(KeyedLimit hit, long tokens, long now) {
    request = hit.cost(tokens);
    taken = now;
    life = life(hit.limit(), tokens);
    left = new AtomicLong(tokens - hit.cost());
    lastHit = now;
  }

  /** How long a bucket takes to refill so many tokens, in whole microseconds. */
  static long life(Limit limit, long tokens) {
    State state = new State();
    limit.algorithm().add(state, 0, tokens);
    return state.time;
  }

  /** What to ask the store for. */
  KeyedLimit request() {
    return request;
  }

  long taken() {
    return taken;
  }

  /** The part of its life that may pass without a hit. */
  long patience() {
    return Math.max(1, life / 4);
  }

  boolean isUnderWay() {
    return !arrival.isDone();
  }

  /** Whether the last hit was so long ago that the next one may be as far away. */
  boolean isIdle(long now) {
    return now - lastHit >= patience();
  }

  private boolean isExpired(long now) {
    return now - taken >= life;
  }

  /** Whether nothing should be served any more. One that is under way is never over. */
  boolean isOver(long now) {
    return !isUnderWay() && (isIdle(now) || isExpired(now));
  }

  /**
   * Takes {@code cost} tokens; returns how many there were before, or {@link #NONE} if it cannot.
   */
  long take(long cost, long now) {
    if (isExpired(now) && !isUnderWay()) {
      return NONE;
    }
    for (; ; ) {
      long before = left.get();
      if (before < cost) {
        return NONE;
      }
      if (left.compareAndSet(before, before - cost)) {
        lastHit = now;
        return before;
      }
    }
  }

  /** Takes all that is left. */
  long drain() {
    return left.getAndSet(0);
  }

  /** The store has answered. Returns whether there is anything to serve from. */
  boolean arrive(Decision answer) {
    List<KeyedLimit> charges = answer.charges();
    if (!answer.allowed() || charges.isEmpty()) {
      arrival.complete(Optional.empty());
      return false;
    }
    KeyedLimit charge = charges.get(0);
    long resetAt = charge.fraction() > 0 ? charge.stamp() + 1 : charge.stamp();
    long there = resetAt - TimeUnit.MICROSECONDS.convert(answer.resetAfter());
    arrival.complete(Optional.of(new Chunk(charge, there - taken)));
    return true;
  }

  /** The store has failed, and with it all who wait. */
  void fail(Throwable failure) {
    arrival.completeExceptionally(failure);
  }

  /** The answer to a hit that found {@code before} tokens; empty if the store refused the lease. */
  CompletableFuture<Optional<Decision>> serve(long before, KeyedLimit hit, long now) {
    return arrival.thenApply(chunk -> chunk.map(one -> decide(one, before, hit, now)));
  }

  /** The bucket as the store told it, less the tokens nobody has had yet, then hit as ever. */
  private Decision decide(Chunk chunk, long before, KeyedLimit hit, long now) {
    Algorithm bucket = hit.limit().algorithm();
    long there = Math.max(now, taken) + chunk.ahead;
    State state = new State();
    state.present = true;
    state.time = chunk.charge.stamp();
    state.fraction = chunk.charge.fraction();
    bucket.advance(state, there);
    bucket.add(state, there, -before);
    Outcome outcome = new Outcome();
    Evaluation.run(Operation.HIT, bucket, state, there, hit.cost(), outcome);
    Decision decision = Decision.of(hit.limit(), hit.key(), outcome, false);
    return hit.tag() == null ? decision : Decision.of(List.of(hit), List.of(decision));
  }

  /** What to undo, to give so many tokens back; null if there never were any. */
  CompletableFuture<@Nullable KeyedLimit> charge(long tokens) {
    return arrival.handle(
        (chunk, failure) ->
            chunk == null ? null : chunk.map(one -> one.charge.cost(tokens)).orElse(null));
  }
}
