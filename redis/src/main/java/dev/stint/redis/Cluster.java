package dev.stint.redis;

import dev.stint.StoreException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way to a cluster. Each server has a breaker of its own: a dead one must not stop the keys of
 * the others, and its successor starts with a clean record.
 */
final class Cluster implements Link {

  private static final String NOBODY = "";

  private final RedisClusterClient client;
  private final Connection<StatefulRedisClusterConnection<byte[], byte[]>> connection;
  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
  private final Prober prober;
  private final boolean functions;
  private final Complaints complaints;

  Cluster(
      List<RedisURI> seeds,
      ClientResources resources,
      ClusterClientOptions options,
      Timer timer,
      Prober prober,
      boolean functions,
      Complaints complaints) {
    this.prober = prober;
    this.functions = functions;
    this.complaints = complaints;
    client = RedisClusterClient.create(resources, seeds);
    client.setOptions(options);
    connection =
        new Connection<>(
            () ->
                client
                    .refreshPartitionsAsync()
                    .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE)),
            timer);
  }

  @Override
  public CompletableFuture<?> open() {
    return connection
        .firstAttempt()
        .thenCompose(
            made ->
                CompletableFuture.allOf(
                    made.getPartitions().stream()
                        .filter(node -> !node.hasNoSlots())
                        .map(node -> breakerOf(node.getNodeId()).ready())
                        .toArray(CompletableFuture<?>[]::new)));
  }

  @Override
  public @Nullable BaseRedisAsyncCommands<byte[], byte[]> commands() {
    StatefulRedisClusterConnection<byte[], byte[]> made = connection.get();
    return made == null ? null : made.async();
  }

  @Override
  public String missing() {
    return connection.missing();
  }

  /** Of those who have slots now: whoever lost them has lost nobody's keys by failing. */
  @Override
  public Optional<String> trouble() {
    StatefulRedisClusterConnection<byte[], byte[]> made = connection.get();
    if (made == null) {
      return Optional.of(missing());
    }
    String all =
        made.getPartitions().stream()
            .filter(node -> !node.hasNoSlots())
            .flatMap(node -> trouble(node).stream())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private Optional<String> trouble(RedisClusterNode node) {
    Breaker breaker = breakers.get(node.getNodeId());
    return breaker == null ? Optional.empty() : breaker.trouble(Address.name(node.getUri()));
  }

  @Override
  public int slot(byte[] place) {
    return SlotHash.getSlot(place);
  }

  @Override
  public Breaker breaker(int slot) {
    return breakerOf(node(slot));
  }

  private Breaker breakerOf(String node) {
    Breaker known = breakers.get(node);
    return known != null ? known : breakers.computeIfAbsent(node, this::newcomer);
  }

  private Breaker newcomer(String node) {
    Breaker breaker =
        new Breaker(
            new CallQueue(1, CommandDispatcher.CLUSTER_CALLS),
            new ServerFunctions(functions, () -> server(node), complaints),
            () -> tagOf(node),
            prober::opened);
    prober.start(breaker);
    return breaker;
  }

  /** The connection over which this node is also asked: Lettuce has one for each address. */
  private CompletionStage<StatefulRedisConnection<byte[], byte[]>> server(String node) {
    StatefulRedisClusterConnection<byte[], byte[]> made = connection.get();
    RedisClusterNode known = made == null ? null : made.getPartitions().getPartitionByNodeId(node);
    if (made == null || known == null) {
      return CompletableFuture.failedFuture(new StoreException(missing()));
    }
    return made.getConnectionAsync(known.getUri().getHost(), known.getUri().getPort());
  }

  private String node(int slot) {
    StatefulRedisClusterConnection<byte[], byte[]> made = connection.get();
    RedisClusterNode node = made == null ? null : made.getPartitions().getPartitionBySlot(slot);
    return node == null ? NOBODY : node.getNodeId();
  }

  /** A tag whose slot this node has. */
  private String tagOf(String node) {
    for (int i = 0; i < 100_000 && !node.equals(NOBODY); i++) {
      if (node(SlotHash.getSlot(Integer.toString(i))).equals(node)) {
        return Integer.toString(i);
      }
    }
    return "0";
  }

  @Override
  public boolean isOne() {
    return false;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
