package dev.stint;

import dev.stint.algorithm.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store under an instance's part of every limit, see {@link Store#share}. */
final class Share implements Store {

  private final Store store;
  private final int instances;

  Share(Store store, int instances) {
    this.store = store;
    this.instances = instances;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    return store.run(operation, mine(operation, limits));
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    Store.check(operation, limit, key, amount);
    if (operation == Operation.UNDO) {
      return store.run(operation, limit, key, amount);
    }
    Limit mine = limit.share(instances);
    return store.run(operation, mine, key, units(operation, amount, limit, mine));
  }

  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    Store.check(operation, limit, key, cost);
    Limit mine = limit.share(instances);
    return store.ask(operation, mine, key, units(operation, cost, limit, mine));
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    return store.runAsync(operation, mine(operation, limits));
  }

  private List<KeyedLimit> mine(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    if (operation == Operation.UNDO) {
      return limits; // they come from a decision, which was made under this share
    }
    List<KeyedLimit> all = new ArrayList<>(limits.size());
    for (KeyedLimit asked : limits) {
      Limit mine = asked.limit().share(instances);
      all.add(asked.under(mine, units(operation, asked.cost(), asked.limit(), mine)));
    }
    return all;
  }

  /** A request that the whole limit has room for must have a chance in its share. */
  private static long units(Operation operation, long n, Limit whole, Limit mine) {
    return operation.asks() && n <= whole.capacity() ? Math.min(n, mine.capacity()) : n;
  }

  @Override
  public Optional<String> trouble() {
    return store.trouble();
  }

  @Override
  public long clean() {
    return store.clean();
  }

  @Override
  public boolean keepsKeys() {
    return store.keepsKeys();
  }

  /** A share of a limit is counted where the limit is. */
  @Override
  public void prepare(Collection<Limit> limits) {
    store.prepare(limits);
  }

  @Override
  public TimeSource time() {
    return store.time();
  }

  @Override
  public void close() {
    store.close();
  }
}
