package dev.stint;

import java.util.Collection;
import java.util.Optional;

/**
 * A store around another, to watch its decisions, as metrics do. It forwards everything but the
 * operations themselves. Override those that you watch, and forward each to {@link #inner} by the
 * same method, so that the inner store can take its shortest path.
 */
public abstract class ForwardingStore implements Store {

  private final Store inner;

  /** A store around {@code inner}, which is closed with it. */
  protected ForwardingStore(Store inner) {
    if (inner == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    this.inner = inner;
  }

  /** The store that decides. */
  protected final Store inner() {
    return inner;
  }

  @Override
  public boolean keepsKeys() {
    return inner.keepsKeys();
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    inner.prepare(limits);
  }

  @Override
  public Optional<String> trouble() {
    return inner.trouble();
  }

  @Override
  public long clean() {
    return inner.clean();
  }

  @Override
  public TimeSource time() {
    return inner.time();
  }

  @Override
  public void close() {
    inner.close();
  }
}
