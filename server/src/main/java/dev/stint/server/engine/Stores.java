package dev.stint.server.engine;

import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.redis.RedisStore;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.StoreSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a service: one place to count in, asked in different ways.
 *
 * <p>Envoy waits less than others, so its questions go to the same Redis by a connection with a
 * shorter deadline.
 */
public final class Stores implements AutoCloseable {

  private final MemoryStore memory;
  private final @Nullable RedisStore redis;
  private final @Nullable RedisStore hurried;
  private final Map<OnStoreError, Store> usual = new EnumMap<>(OnStoreError.class);
  private final Map<OnStoreError, Store> forEnvoy = new EnumMap<>(OnStoreError.class);
  private final Map<OnStoreError, Store> late = new EnumMap<>(OnStoreError.class);
  private volatile RoundTrips trips = (answered, nanos) -> {};

  private Stores(
      MemoryStore memory, @Nullable RedisStore redis, @Nullable RedisStore hurried, int instances) {
    this.memory = memory;
    this.redis = redis;
    this.hurried = hurried;
    compose(usual, redis == null ? null : new TimedStore(redis, this::ended), instances);
    compose(forEnvoy, hurried == null ? null : new TimedStore(hurried, this::ended), instances);
    compose(late, hurried == null ? null : new TooLate(hurried.time()), instances);
  }

  /** Opens the stores. A Redis that is away is no reason not to start. */
  public static Stores open(StoreSettings settings, Duration deadlineForEnvoy) {
    MemoryStore memory = memory(settings, TimeSource.system());
    if (settings.isMemory()) {
      return new Stores(memory, null, null, 1);
    }
    return new Stores(
        memory,
        connect(settings, settings.deadline()),
        connect(settings, deadlineForEnvoy),
        settings.instances());
  }

  private static RedisStore connect(StoreSettings settings, Duration deadline) {
    return RedisStore.builder(settings.url()).prefix(settings.prefix()).deadline(deadline).build();
  }

  private static MemoryStore memory(StoreSettings settings, TimeSource time) {
    return MemoryStore.builder()
        .maxKeys(settings.maxKeys())
        .callKeys(settings.requestKeys())
        .time(time)
        .build();
  }

  /** A store in memory by this clock, for tests. */
  public static Stores inMemory(TimeSource time) {
    return inMemory(StoreSettings.memory(), time);
  }

  /** A store in memory of this size by this clock, for tests. */
  public static Stores inMemory(StoreSettings settings, TimeSource time) {
    return new Stores(memory(settings, time), null, null, 1);
  }

  private void compose(Map<OnStoreError, Store> composed, @Nullable Store far, int instances) {
    composed.put(OnStoreError.LOCAL, far == null ? memory : far.orElse(memory.share(instances)));
    composed.put(OnStoreError.ALLOW, far == null ? memory : far.orElse(Store.admitting()));
    composed.put(OnStoreError.DENY, far == null ? memory : far.orElse(Store.denying()));
  }

  private void ended(boolean answered, long nanos) {
    trips.ended(answered, nanos);
  }

  /** Tells from now on how long each round trip to Redis takes. In memory there are none. */
  public void onRoundTrip(RoundTrips listener) {
    trips = listener;
  }

  /** Sets memory aside for limits of the configuration, which limits of requests cannot use. */
  void prepare(Collection<Limit> limits) {
    usual.values().forEach(store -> store.prepare(limits));
    forEnvoy.values().forEach(store -> store.prepare(limits));
    late.values().forEach(store -> store.prepare(limits));
  }

  /** The store that answers so when it cannot be asked. */
  public Store orElse(OnStoreError answer) {
    return found(usual, answer);
  }

  /** The same for those who cannot wait long. */
  public Store forEnvoyOrElse(OnStoreError answer) {
    return found(forEnvoy, answer);
  }

  /** The same for those who have waited as long as they can already. */
  public Store forTheLateOrElse(OnStoreError answer) {
    return found(late, answer);
  }

  private static Store found(Map<OnStoreError, Store> composed, OnStoreError answer) {
    Store store = composed.get(answer);
    if (store == null) {
      throw new IllegalStateException("no store for " + answer);
    }
    return store;
  }

  /** Whether an answer is there at once, without a journey. */
  public boolean isLocal() {
    return redis == null;
  }

  /** What is counted in this process: everything, or what fell to it while Redis was away. */
  public MemoryStore memory() {
    return memory;
  }

  /** The clock that decisions are made by. */
  public TimeSource time() {
    return redis == null ? memory.time() : redis.time();
  }

  /** Why the store cannot be asked at the moment, by everybody or by Envoy; empty if it can. */
  public Optional<String> trouble() {
    return redis == null || hurried == null
        ? Optional.empty()
        : redis.trouble().or(hurried::trouble);
  }

  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
    if (hurried != null) {
      hurried.close();
    }
    memory.close();
  }
}
