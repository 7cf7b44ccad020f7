package dev.stint.spring;

import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import java.util.Collection;
import java.util.Optional;

/** A store around another, for whoever watches decisions. */
abstract class WrappedStore implements Store {

  final Store inner;

  WrappedStore(Store inner) {
    this.inner = inner;
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
