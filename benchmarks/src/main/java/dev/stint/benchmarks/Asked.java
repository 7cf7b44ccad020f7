package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;

/** A limiter that is asked in one of the {@linkplain Form other ways}. */
interface Asked {

  /** Asks about the caller's next key, or its next three. */
  boolean hit(Caller caller);

  /** Asks about a key for the first time. */
  void insert(KeyMaker maker, int index);

  /** Limit and text given in the call. */
  record ByText(RateLimiter limiter, Limit limit) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return limiter.hit(limit.on(caller.nextText())).allowed();
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      StintInMemory.check(limiter.hit(limit.on(maker.text(index))));
    }
  }

  /** Limit and bytes given in the call. */
  record ByBytes(RateLimiter limiter, Limit limit) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return limiter.hit(limit.on(caller.nextBytes())).allowed();
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      StintInMemory.check(limiter.hit(limit.on(maker.bytes(index))));
    }
  }

  /** Limit and number given in the call; no object is made for the key. */
  record ByNumber(RateLimiter limiter, Limit limit) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return limiter.hit(limit.on(caller.nextNumber())).allowed();
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      StintInMemory.check(limiter.hit(limit.on(KeyMaker.number(index))));
    }
  }

  /** The limiter's own limits, all on one key. */
  record ByKey(RateLimiter limiter) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return limiter.hit(caller.nextText()).allowed();
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      StintInMemory.check(limiter.hit(maker.text(index)));
    }
  }

  /** Three limits, each on a key of its own. */
  record ByThreeKeys(RateLimiter limiter, Limit first, Limit second, Limit third) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return limiter
          .hit(
              first.on(caller.nextText()),
              second.on(caller.nextText()),
              third.on(caller.nextText()))
          .allowed();
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      String key = maker.text(index);
      StintInMemory.check(limiter.hit(first.on(key), second.on(key), third.on(key)));
    }
  }

  /** A peer that does the same its own way. */
  record Peer(Subject subject) implements Asked {
    @Override
    public boolean hit(Caller caller) {
      return subject.hit(caller.nextText());
    }

    @Override
    public void insert(KeyMaker maker, int index) {
      subject.insert(maker.text(index));
    }
  }
}
