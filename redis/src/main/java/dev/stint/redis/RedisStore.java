package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import io.lettuce.core.ClientOptions.ReauthenticateBehavior;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis or Valkey, so that all who connect to it share one count.
 *
 * <pre>{@code
 * try (RedisStore redis = RedisStore.connect("redis://localhost")) {
 *   RateLimiter limiter = RateLimiter.of(redis, Limit.parse("100/minute"));
 * }
 * }</pre>
 *
 * <p>The address names one server ({@code redis://}, {@code rediss://} with TLS), a master by its
 * sentinels ({@code redis-sentinel://host:port,…/0#name}) or a cluster ({@code
 * redis-cluster://host:port,…}). A decision is one script call and one round trip, on any number of
 * limits; in a cluster that holds for the limits of one key or one {@linkplain KeyedLimit#in tag},
 * and a call over several is one script for each slot, one after the other.
 *
 * <p>Futures complete on an {@linkplain Builder#executor executor}, never on a thread that other
 * calls depend on, so their continuations may block. One that is done when it is returned, such as
 * a failure that was known beforehand, has its continuations run by the caller, as any future has.
 *
 * <p>A decision takes no longer than the {@linkplain Builder#deadline deadline}. When Redis does
 * not answer in time, hits are admitted and say that they are degraded; {@link Store#orElse} has
 * another store decide then. A server that keeps failing is left alone for a while, and the
 * failures cost nothing.
 */
public final class RedisStore implements Store {

  private final PlaceNames names;
  private final Link link;
  private final CommandDispatcher dispatcher;
  private final Timer timer;
  private final CompletionPool pool;
  private final Delivery delivery;
  private final ClientResources resources;
  private final long patience;
  private final TimeSource time;
  private final @Nullable Refusals refusals;
  private final Map<Integer, Leasing> leasings = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private RedisStore(Builder builder) {
    names = new PlaceNames(builder.prefix);
    patience = builder.deadline.toNanos();
    time = builder.time == null ? TimeSource.system() : builder.time;
    refusals =
        builder.rememberRefusals == null ? null : new Refusals(builder.rememberRefusals, time);
    timer = new Timer();
    pool = new CompletionPool(timer); // without a thread until it is used
    Executor executor = builder.executor;
    delivery = new Delivery(executor == null ? pool : executor);
    Complaints complaints = new Complaints();
    Prober prober = new Prober(timer, names, complaints);
    resources = LettuceSetup.resources(builder.address.cluster(), builder.resources);
    link = link(builder, prober, complaints);
    dispatcher =
        new CommandDispatcher(
            link, builder.time, complaints, prober, timer, builder.maxInFlight, builder.deadline);
    prober.through(dispatcher);
    awaitFirstConnection(builder.connectTimeout, complaints);
  }

  private Link link(Builder builder, Prober prober, Complaints complaints) {
    Address address = builder.address;
    try {
      return address.cluster()
          ? new Cluster(
              address.uris(),
              resources,
              LettuceSetup.clusterOptions(builder.deadline, builder.ssl, builder.reauthenticate),
              timer,
              prober,
              builder.functions,
              complaints)
          : new OneServer(
              address.uris().get(0),
              resources,
              LettuceSetup.options(
                  builder.deadline,
                  builder.ssl,
                  builder.reauthenticate,
                  address.uris().get(0).getSocket() == null),
              timer,
              prober,
              builder.functions,
              complaints);
    } catch (RuntimeException | Error e) {
      timer.close(); // nobody would close this store
      Future<?> unused = resources.shutdown(0, 2, TimeUnit.SECONDS);
      throw e;
    }
  }

  /** A cold start takes longer than any decision may; the builder can wait a moment for it. */
  private void awaitFirstConnection(Duration most, Complaints complaints) {
    try {
      link.open().get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      complaints.add(link.missing());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A store on the servers that {@code uri} names, with the default settings. */
  public static RedisStore connect(String uri) {
    return builder(uri).build();
  }

  /** A store on the servers that {@code uri} names, with settings. */
  public static Builder builder(String uri) {
    return new Builder(Address.parse(uri));
  }

  /**
   * A store on the server that an application's own Lettuce knows by this URI, or on the master
   * that its sentinels name, with settings.
   */
  public static Builder builder(RedisURI uri) {
    return new Builder(Address.server(uri));
  }

  /** A store on the cluster to which these nodes belong, a few of which will do, with settings. */
  public static Builder clusterBuilder(Collection<RedisURI> nodes) {
    return new Builder(Address.nodes(nodes));
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    if (closed.get()) {
      throw new StoreException(CommandDispatcher.CLOSED);
    }
    Question question = Question.of(operation, limits, names);
    Decision known = known(operation, question);
    if (known != null) {
      return known;
    }
    long deadline = System.nanoTime() + patience;
    if (!isTogether(question)) {
      return multiSlot(question, deadline).await();
    }
    Answer answer = dispatcher.send(question, deadline).await();
    return decision(operation, question, answer);
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    return closed.get() ? closedAlready() : delivery.of(runInside(operation, limits));
  }

  private static <T> CompletableFuture<T> closedAlready() {
    return CompletableFuture.failedFuture(new StoreException(CommandDispatcher.CLOSED));
  }

  /** As {@link #runAsync}, for continuations of our own: they run where the answer arrives. */
  private CompletableFuture<Decision> runInside(Operation operation, List<KeyedLimit> limits) {
    try {
      return runInside(operation, Question.of(operation, limits, names));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Decision> runInside(Operation operation, Question question) {
    Decision known = known(operation, question);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    long deadline = System.nanoTime() + patience;
    if (!isTogether(question)) {
      return multiSlot(question, deadline).result();
    }
    return dispatcher
        .send(question, deadline)
        .result()
        .thenApply(answer -> decision(operation, question, answer));
  }

  /** This store as its leases see it. They are given back while it is being closed. */
  private final class Inside implements Store {

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      return RedisStore.this.run(operation, limits);
    }

    @Override
    public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
      return dispatcher.isClosed() ? closedAlready() : runInside(operation, limits);
    }

    @Override
    public Optional<String> trouble() {
      return RedisStore.this.trouble();
    }

    @Override
    public long clean() {
      return RedisStore.this.clean();
    }

    @Override
    public TimeSource time() {
      return time;
    }

    @Override
    public void close() {
      RedisStore.this.close();
    }
  }

  private @Nullable Decision known(Operation operation, Question question) {
    if (refusals == null) {
      return null;
    }
    if (!operation.asks()) {
      refusals.forget(question); // and again when it is done, for what was refused meanwhile
      return null;
    }
    return refusals.find(question);
  }

  private Decision decision(Operation operation, Question question, Answer answer) {
    if (refusals != null && operation.asks()) {
      refusals.note(question, answer);
    } else if (refusals != null) {
      refusals.forget(question);
    }
    return Decision.of(question.limits(), answer.decisions());
  }

  private boolean isTogether(Question question) {
    if (link.isOne() || question.size() == 1) {
      return true;
    }
    int slot = link.slot(question.place(0));
    for (int i = 1; i < question.size(); i++) {
      if (link.slot(question.place(i)) != slot) {
        return false;
      }
    }
    return true;
  }

  private MultiSlotCall multiSlot(Question question, long deadline) {
    MultiSlotCall call = new MultiSlotCall(question, link, dispatcher, refusals, deadline);
    call.start();
    return call;
  }

  /**
   * This store, which takes the tokens of hot keys by the chunk: a hit is then served from tokens
   * that were taken ahead of need, and a very hot key costs one trip for each chunk.
   *
   * <p>It is for token and leaky buckets. A key whose hits come closely after one another takes
   * {@code chunk} tokens, or half of the limit's capacity if that is less, as long as they fit.
   * Where they do not, or the cost is more than half of them, in calls over several limits and for
   * all other algorithms everything is as without; so a refusal is always Redis' own, and a key
   * that is not hot neither costs nor holds back anything more. A lease is worth its while if it
   * lasts for some milliseconds: it expires after the time in which the bucket refills the chunk.
   * What is left goes back when there was no hit for a quarter to half of that time, and when the
   * store is closed.
   *
   * <p><em>The excess.</em> What an instance holds has been charged already, and may be served
   * after the bucket has refilled it. So in any span more can pass than the limit says: at most
   * {@code chunk} for each instance, since none has more than one lease of a key at a time.
   * Whatever is in a lease counts as used for everybody else: {@code peek}, {@code get} and other
   * instances see it as such. {@code reset} and {@code set} drop this instance's lease; those of
   * others are served on.
   *
   * <p>A hit that finds no room for a chunk may make two trips, the second for its own cost. When
   * Redis fails, all who wait for the same chunk fail alike; {@link Store#orElse} answers them.
   * Closing it closes this store, as that of any store around another, and closing this store has
   * all its leases given back.
   *
   * @param chunk how many tokens to take at a time, at least 1; with 1 there are no leases
   * @throws StoreException if this store is closed
   */
  public Store leasing(int chunk) {
    if (closed.get()) {
      throw new StoreException(CommandDispatcher.CLOSED);
    }
    return leasings.computeIfAbsent(chunk, size -> new Leasing(new Inside(), delivery, size));
  }

  /** Names each server that is left alone because it kept failing, and says how. */
  @Override
  public Optional<String> trouble() {
    return closed.get() ? Optional.of(CommandDispatcher.CLOSED) : link.trouble();
  }

  /** Redis forgets what has expired by itself, so there is nothing to do: always 0. */
  @Override
  public long clean() {
    return 0;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  /**
   * Gives back what is {@linkplain #leasing leased}, ends the calls that are under way, and closes
   * the connections. From then on every operation fails at once and says that the store is closed.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      leasings.values().forEach(Leasing::giveBack);
      dispatcher.close();
      timer.close();
      pool.close();
      link.close();
    } finally {
      resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
  }

  /** Settings of a {@link RedisStore}. */
  public static final class Builder {

    private static final Duration LONGEST = Duration.ofDays(1);

    private static final String FUNCTIONS = "stint.redis.functions";

    private final Address address;
    private String prefix = "stint:";
    private Duration deadline = Duration.ofMillis(25);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private int maxInFlight = 10_000;
    private boolean functions = Boolean.parseBoolean(System.getProperty(FUNCTIONS, "true"));
    private @Nullable TimeSource time;
    private @Nullable Duration rememberRefusals;
    private @Nullable ClientResources resources;
    private SslOptions ssl = SslOptions.create();
    private ReauthenticateBehavior reauthenticate = ReauthenticateBehavior.DEFAULT;
    private @Nullable Executor executor;

    private Builder(Address address) {
      this.address = address;
    }

    /** What every key in Redis begins with; {@code stint:} if not given. */
    public Builder prefix(String prefix) {
      new PlaceNames(prefix);
      this.prefix = prefix;
      return this;
    }

    /** How long a decision may take in all, waiting and travelling; 25 ms if not given. */
    public Builder deadline(Duration deadline) {
      this.deadline = positive(deadline, "deadline");
      return this;
    }

    /** How long {@link #build} waits for the first connection; 2 s if not given. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = positive(connectTimeout, "connectTimeout");
      return this;
    }

    /**
     * How many decisions may be under way at once, waiting or sent; the next is degraded at once.
     * 10,000 if not given.
     *
     * <p>A call over more than ten limits counts once for every ten of them. When there are too
     * many, a thread that has fewer calls waiting than another still gets in, and the newest call
     * of the thread with most is degraded instead.
     */
    public Builder maxInFlight(int maxInFlight) {
      if (maxInFlight < 1) {
        throw new IllegalArgumentException("maxInFlight must be at least 1: " + maxInFlight);
      }
      this.maxInFlight = maxInFlight;
      return this;
    }

    /**
     * Repeats a refusal locally for up to {@code age}, or until its wait is over, without a round
     * trip; at most 100 ms. Off if not given.
     *
     * <p>It takes the load of clients that do not wait off Redis. What other instances give back,
     * reset or set meanwhile is noticed that much later. Holds for the same limit, amount and key,
     * and for costs that are no smaller; not for logs, limits that count denied hits, or calls with
     * several limits.
     */
    public Builder rememberRefusals(Duration age) {
      if (positive(age, "age").compareTo(Duration.ofMillis(Refusals.MOST_MILLIS)) > 0) {
        throw new IllegalArgumentException("age must be at most 100 ms: " + age);
      }
      this.rememberRefusals = age;
      return this;
    }

    /**
     * Whether to call a server's functions ({@code FCALL}), which is faster, where it has them
     * (Redis 7.0, Valkey) and lets this user load and call them; it is called by script ({@code
     * EVALSHA}) otherwise. On if not given, unless the system property {@code
     * stint.redis.functions} is {@code false}. Switch it off behind a proxy that closes connections
     * on commands it does not know.
     */
    public Builder functions(boolean functions) {
      this.functions = functions;
      return this;
    }

    /**
     * Runs on the threads and timers of an application's own Lettuce, and is observed as that is
     * (event bus, latencies, tracing); on threads of its own if not given.
     *
     * <p>They remain the application's: closing the store leaves them running, so close the store
     * first. How soon to reconnect stays the store's affair.
     */
    public Builder resources(ClientResources resources) {
      if (resources == null) {
        throw new IllegalArgumentException("resources must not be null");
      }
      this.resources = resources;
      return this;
    }

    /**
     * Whom to trust and what to show, on connections whose address asks for TLS ({@code rediss://},
     * {@link RedisURI#isSsl}); as the Java runtime does if not given.
     */
    public Builder ssl(SslOptions ssl) {
      if (ssl == null) {
        throw new IllegalArgumentException("ssl must not be null");
      }
      this.ssl = ssl;
      return this;
    }

    /**
     * Whether an open connection is authenticated again when the credentials provider of its {@link
     * RedisURI} has new ones; by default only new connections are.
     */
    public Builder reauthenticate(ReauthenticateBehavior reauthenticate) {
      if (reauthenticate == null) {
        throw new IllegalArgumentException("reauthenticate must not be null");
      }
      this.reauthenticate = reauthenticate;
      return this;
    }

    /**
     * Where futures complete, and so where their continuations run unless those name an executor of
     * their own. If not given, on daemon threads of the store: as many as there are processors, and
     * more, up to 512, while all of them are blocked.
     *
     * <p>An executor that rejects a task or throws has the future completed on the thread that has
     * the result, which other calls depend on; so give one that accepts. It remains the
     * application's, and is not shut down with the store. {@code Runnable::run} saves a change of
     * threads for continuations that are known never to block.
     */
    public Builder executor(Executor executor) {
      if (executor == null) {
        throw new IllegalArgumentException("executor must not be null");
      }
      this.executor = executor;
      return this;
    }

    /** The clock to decide by, in place of the server's own: for tests. */
    public Builder time(TimeSource time) {
      if (time == null) {
        throw new IllegalArgumentException("time must not be null");
      }
      this.time = time;
      return this;
    }

    private static Duration positive(Duration duration, String what) {
      if (duration == null || duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException(what + " must be longer than zero: " + duration);
      }
      if (duration.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(what + " must be at most a day: " + duration);
      }
      return duration;
    }

    /**
     * Connects, and waits for it a moment. If Redis cannot be reached the store works all the same,
     * degraded, and goes on trying.
     */
    public RedisStore build() {
      return new RedisStore(this);
    }
  }
}
