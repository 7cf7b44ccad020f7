package dev.stint.lab;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A Redis Cluster of three masters with one replica each. Nothing is kept on disk but the nodes'
 * own table, so a master that is killed and restarted before its replica has taken over comes back
 * empty, and its replica follows it there.
 */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final int MASTERS = 3;
  private static final Duration FORM_LIMIT = Duration.ofSeconds(30);

  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster() {}

  public static RedisCluster start() {
    return start(settings -> {});
  }

  /** Starts six nodes and returns when all agree on the slots and every replica follows. */
  public static RedisCluster start(Consumer<Settings> configure) {
    Settings settings = new Settings();
    configure.accept(settings);
    RedisCluster cluster = new RedisCluster();
    try {
      List<Integer> busPorts = new ArrayList<>();
      for (int i = 0; i < 2 * MASTERS; i++) cluster.nodes.add(settings.startNode(busPorts));
      cluster.form(busPorts);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  public String uri() {
    return nodes.stream()
        .map(RedisServer::toString)
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /** Gives the six nodes, dead or alive; the first three began as masters. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** Asks the cluster who its masters are now. */
  public List<RedisServer> masters() {
    return view().stream().map(shard -> node(shard.master())).distinct().toList();
  }

  /** Asks the cluster who answers for a key now. */
  public RedisServer masterOf(String key) {
    long slot;
    try (Resp resp = anyRunning().resp()) {
      slot = resp.number("CLUSTER", "KEYSLOT", key);
    }
    return view().stream()
        .filter(shard -> shard.first() <= slot && slot <= shard.last())
        .map(shard -> node(shard.master()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("slot " + slot + " must have a master"));
  }

  /** Asks the cluster for a replica of this master. */
  public RedisServer replicaOf(RedisServer master) {
    return view().stream()
        .filter(shard -> shard.master() == master.port())
        .flatMap(shard -> shard.replicas().stream())
        .map(this::node)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(master + " must be a master with a replica"));
  }

  /**
   * Lets the replica of a living master take over from it without loss, and returns it when the
   * whole cluster knows.
   */
  public RedisServer failover(RedisServer master) {
    RedisServer replica = replicaOf(master);
    replica.ask("CLUSTER", "FAILOVER");
    Await.until(
        "the failover from " + master + " to " + replica,
        FORM_LIMIT,
        () -> masters().contains(replica) && isHealthy());
    return replica;
  }

  /**
   * Returns when every node that runs finds the cluster in order, they agree on the owner of each
   * slot, the owners run, and the replicas that run are in contact with their masters.
   */
  public void awaitHealthy(Duration limit) {
    Await.until("a healthy cluster", limit, this::isHealthy);
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }

  private void form(List<Integer> busPorts) {
    for (int i = 0; i < nodes.size(); i++) {
      try (Resp resp = nodes.get(i).resp()) {
        // Nodes that begin with one epoch would have to settle first who counts.
        resp.text("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        if (i < MASTERS) addSlots(resp, SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS);
        // Each meets each: word of mouth would take seconds.
        for (int other = 0; other < i; other++) {
          String port = Integer.toString(nodes.get(other).port());
          String busPort = Integer.toString(busPorts.get(other));
          resp.text("CLUSTER", "MEET", "127.0.0.1", port, busPort);
        }
      }
    }
    for (int i = MASTERS; i < nodes.size(); i++) {
      replicate(nodes.get(i), nodes.get(i - MASTERS));
    }
    Await.until(
        "the forming of the cluster",
        FORM_LIMIT,
        () -> view().stream().allMatch(shard -> shard.replicas().size() == 1) && isHealthy());
  }

  private static void addSlots(Resp resp, int from, int beyond) {
    List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
    for (int slot = from; slot < beyond; slot++) words.add(Integer.toString(slot));
    resp.text(words.toArray(String[]::new));
  }

  private static void replicate(RedisServer replica, RedisServer master) {
    String id = master.ask("CLUSTER", "MYID");
    Await.until(
        "the meeting of " + replica + " and " + master,
        FORM_LIMIT,
        () -> replica.ask("CLUSTER", "REPLICATE", id).equals("OK"));
  }

  private boolean isHealthy() {
    List<RedisServer> running = nodes.stream().filter(RedisServer::isRunning).toList();
    List<ClusterShard> view = view();
    return view.stream().mapToInt(ClusterShard::size).sum() == SLOTS
        && view.stream().allMatch(shard -> node(shard.master()).isRunning())
        && running.stream()
            .allMatch(node -> isContent(node) && ClusterShard.seenBy(node).equals(view));
  }

  private static boolean isContent(RedisServer node) {
    return node.ask("CLUSTER", "INFO").contains("cluster_state:ok")
        && !node.ask("INFO", "replication").contains("master_link_status:down");
  }

  private List<ClusterShard> view() {
    return ClusterShard.seenBy(anyRunning());
  }

  private RedisServer anyRunning() {
    return nodes.stream()
        .filter(RedisServer::isRunning)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a node must be running: none is"));
  }

  private RedisServer node(int port) {
    return nodes.stream()
        .filter(node -> node.port() == port)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a node must have the port " + port));
  }

  /** What the nodes are started with. */
  public static final class Settings {
    private Duration nodeTimeout = Duration.ofSeconds(1);
    private boolean requireFullCoverage = true;
    private Consumer<RedisServer.Settings> node = settings -> {};

    private Settings() {}

    /** Sets after what silence a node is taken for dead; a second unless set. */
    public Settings nodeTimeout(Duration timeout) {
      this.nodeTimeout = timeout;
      return this;
    }

    /** Sets whether all slots refuse while one has no master; they do unless set. */
    public Settings requireFullCoverage(boolean required) {
      this.requireFullCoverage = required;
      return this;
    }

    /** Adds settings to every node. */
    public Settings node(Consumer<RedisServer.Settings> node) {
      this.node = this.node.andThen(node);
      return this;
    }

    private RedisServer startNode(List<Integer> busPorts) {
      int[] busPort = new int[1];
      RedisServer server =
          RedisServer.start(
              settings -> {
                busPort[0] = Ports.free();
                settings
                    .config("cluster-enabled", "yes")
                    .config("cluster-config-file", "nodes.conf")
                    .config("cluster-port", Integer.toString(busPort[0]))
                    .config("cluster-node-timeout", Long.toString(nodeTimeout.toMillis()))
                    .config("cluster-require-full-coverage", requireFullCoverage ? "yes" : "no")
                    .config("repl-diskless-sync-delay", "0")
                    // A replica is announced once the first ping of its master has reached it.
                    .config("repl-ping-replica-period", "1");
                node.accept(settings);
              });
      busPorts.add(busPort[0]);
      return server;
    }
  }
}
