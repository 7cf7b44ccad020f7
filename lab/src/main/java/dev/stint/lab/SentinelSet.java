package dev.stint.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A master and a replica, watched by three Sentinels of whom two decide. After a failover the old
 * master, if it lives, goes on taking writes until the Sentinels have turned it into a replica,
 * which they do some ten seconds later; {@link #awaitHealthy} waits for that.
 */
public final class SentinelSet implements AutoCloseable {
  /** The name under which the Sentinels know the master. */
  public static final String MASTER_ID = "stint";

  private static final int SENTINELS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private SentinelSet() {}

  public static SentinelSet start() {
    return start(settings -> {});
  }

  /** Starts all five and returns when the Sentinels know each other and the replica. */
  public static SentinelSet start(Consumer<Settings> configure) {
    Settings settings = new Settings();
    configure.accept(settings);
    SentinelSet set = new SentinelSet();
    try {
      set.startServers();
      for (int i = 0; i < SENTINELS; i++) {
        set.sentinels.add(settings.startSentinel(set.servers.get(0).port()));
      }
      set.awaitHealthy(LIMIT);
      return set;
    } catch (RuntimeException e) {
      set.close();
      throw e;
    }
  }

  public String uri() {
    return sentinels.stream()
        .map(RedisServer::toString)
        .collect(Collectors.joining(",", "redis-sentinel://", "/0#" + MASTER_ID));
  }

  /** Gives the two servers, dead or alive; the first began as the master. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** Asks the Sentinels for the master; if they do not agree, it is the one most of them name. */
  public RedisServer master() {
    long forFirst = runningSentinels().stream().filter(s -> names(s, servers.get(0))).count();
    return servers.get(2 * forFirst > runningSentinels().size() ? 0 : 1);
  }

  /** Gives the server that is not the {@link #master}. */
  public RedisServer other() {
    return otherThan(master());
  }

  /** Has the Sentinels promote the replica, and returns the new master when all of them name it. */
  public RedisServer failover() {
    RedisServer old = master();
    runningSentinels().get(0).ask("SENTINEL", "FAILOVER", MASTER_ID);
    return awaitFailoverFrom(old, LIMIT);
  }

  /** Kills the master and returns it, without waiting for the Sentinels to notice. */
  public RedisServer killMaster() {
    RedisServer master = master();
    master.kill();
    return master;
  }

  /** Returns the new master when all Sentinels name it and it takes writes. */
  public RedisServer awaitFailoverFrom(RedisServer old, Duration limit) {
    RedisServer next = otherThan(old);
    Await.until(
        "the failover from " + old + " to " + next,
        limit,
        () -> runningSentinels().stream().allMatch(s -> names(s, next)) && hasRole(next, "master"));
    return next;
  }

  /** Returns when the set is as at the start: a master, a replica in contact, all known to all. */
  public void awaitHealthy(Duration limit) {
    Await.until("a healthy set of Sentinels", limit, this::isHealthy);
  }

  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
  }

  private void startServers() {
    RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
    servers.add(master);
    servers.add(
        RedisServer.start(
            settings ->
                settings
                    .config("repl-diskless-sync-delay", "0")
                    .config("replicaof", "127.0.0.1 " + master.port())));
    // A Sentinel learns of replicas from its first look at the master, and then only every 10 s.
    Await.until("the following of the replica", LIMIT, () -> follows(servers.get(1)));
  }

  private boolean isHealthy() {
    RedisServer master = master();
    return hasRole(master, "master")
        && follows(otherThan(master))
        && sentinels.stream().allMatch(s -> names(s, master) && seesAll(s));
  }

  private static boolean seesAll(RedisServer sentinel) {
    String info = sentinel.ask("INFO", "sentinel");
    return info.contains("status=ok") && info.contains("slaves=1,sentinels=" + SENTINELS);
  }

  private static boolean names(RedisServer sentinel, RedisServer master) {
    try (Resp resp = sentinel.resp()) {
      List<?> address = resp.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_ID);
      return address.equals(List.of("127.0.0.1", Integer.toString(master.port())));
    }
  }

  private static boolean follows(RedisServer server) {
    return hasRole(server, "slave")
        && server.ask("INFO", "replication").contains("master_link_status:up");
  }

  private static boolean hasRole(RedisServer server, String role) {
    return server.isRunning() && server.ask("INFO", "replication").contains("role:" + role);
  }

  private List<RedisServer> runningSentinels() {
    List<RedisServer> running = sentinels.stream().filter(RedisServer::isRunning).toList();
    if (running.isEmpty()) throw new IllegalStateException("a Sentinel must be running: none is");
    return running;
  }

  private RedisServer otherThan(RedisServer server) {
    return servers.get(server == servers.get(0) ? 1 : 0);
  }

  /** What the Sentinels are started with. */
  public static final class Settings {
    private Duration downAfter = Duration.ofMillis(1500);
    private Duration failoverTimeout = Duration.ofSeconds(3);

    private Settings() {}

    /**
     * Sets after what silence a server is taken for dead; 1.5 seconds unless set. With a second or
     * less the Sentinels flap: they ping a new master first after a second or after this silence,
     * whichever is shorter, and so take it for dead at once and fail over again.
     */
    public Settings downAfter(Duration silence) {
      this.downAfter = silence;
      return this;
    }

    /** Sets how long a failover may take before it is tried again; three seconds unless set. */
    public Settings failoverTimeout(Duration timeout) {
      this.failoverTimeout = timeout;
      return this;
    }

    private RedisServer startSentinel(int master) {
      return RedisServer.start(
          settings ->
              settings
                  .sentinel()
                  .config("sentinel monitor", MASTER_ID + " 127.0.0.1 " + master + " 2")
                  .config("sentinel down-after-milliseconds", named(downAfter))
                  .config("sentinel failover-timeout", named(failoverTimeout)));
    }

    private static String named(Duration value) {
      return MASTER_ID + " " + value.toMillis();
    }
  }
}
