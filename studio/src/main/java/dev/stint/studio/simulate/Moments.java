package dev.stint.studio.simulate;

import java.util.Iterator;

/** One client that comes at moments known beforehand, whatever it is answered. */
final class Moments implements Source {

  private final String key;
  private final Iterator<Even> evens;
  private Even even = new Even(0, 0, 0);
  private long i;

  /** A client that comes at these moments, in order; those before the start are left out. */
  Moments(String key, Iterator<Even> evens) {
    this.key = key;
    this.evens = evens;
    do {
      forward();
    } while (next() < 0);
  }

  private void forward() {
    i++;
    while (i >= even.n() && evens.hasNext()) {
      even = evens.next();
      i = 0;
    }
  }

  @Override
  public long next() {
    return i < even.n() ? even.at(i) : NEVER;
  }

  @Override
  public Request take() {
    Request request = new Request(next(), key, 1);
    forward();
    return request;
  }
}
