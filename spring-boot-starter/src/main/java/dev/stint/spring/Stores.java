package dev.stint.spring;

import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The application's store, once for each answer to what happens while it cannot be asked. */
public final class Stores implements AutoCloseable {

  private static final String STORE = "store";

  private final Store primary;
  private final OnStoreError usual;
  private final Map<OnStoreError, Store> composed = new EnumMap<>(OnStoreError.class);
  private final @Nullable Store local;

  /**
   * Composes the stores.
   *
   * @param primary where is counted
   * @param usual what happens where nothing else is said
   * @param local makes the store that counts meanwhile
   * @param around what every store is put into, for metrics
   */
  Stores(Store primary, OnStoreError usual, Supplier<Store> local, UnaryOperator<Store> around) {
    this.primary = primary;
    this.usual = usual;
    if (primary instanceof MemoryStore) { // never fails
      this.local = null;
      Store watched = around.apply(primary);
      for (OnStoreError answer : OnStoreError.values()) {
        composed.put(answer, watched);
      }
    } else {
      Store meanwhile = local.get();
      this.local = meanwhile;
      composed.put(OnStoreError.LOCAL, around.apply(primary.orElse(meanwhile)));
      composed.put(OnStoreError.ALLOW, around.apply(primary.orElse(Store.admitting())));
      composed.put(OnStoreError.DENY, around.apply(primary.orElse(Store.denying())));
    }
  }

  /** The store with this answer; with the application's usual one if there is none. */
  public Store orElse(@Nullable OnStoreError answer) {
    Store store = composed.get(answer == null ? usual : answer);
    if (store == null) {
      throw new IllegalStateException("no store for " + answer);
    }
    return store;
  }

  /** The store itself, which throws when it cannot be asked. */
  public Store primary() {
    return primary;
  }

  /** What the store is, in a word: {@code memory}, {@code redis}. */
  String kind() {
    String type = primary.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return type.length() > STORE.length() && type.endsWith(STORE)
        ? type.substring(0, type.length() - STORE.length())
        : "other";
  }

  /** Why the store cannot be asked at the moment; empty if it can. */
  public Optional<String> trouble() {
    return primary.trouble();
  }

  /** Closes what counts in the store's place. The store itself is a bean of its own. */
  @Override
  public void close() {
    if (local != null) {
      local.close();
    }
  }
}
