package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A store that runs on an application's own Lettuce uses what it is lent, and leaves it running.
 */
@ExtendWith(QuietLettuce.class)
class LentResourcesTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  @Tag("redis")
  void the_applications_client_outlives_the_store() {
    RedisURI uri = RedisURI.create(Servers.redis().uri());
    ClientResources resources = ClientResources.create();
    try (RedisClient application = RedisClient.create(resources, uri);
        StatefulRedisConnection<String, String> old = application.connect()) {
      RedisStore store = patient(RedisStore.builder(uri), resources);
      assertCounts(store, "outlives");
      store.close();
      assertThat(old.sync().ping()).isEqualTo("PONG");
      try (StatefulRedisConnection<String, String> later = application.connect()) {
        assertThat(later.sync().ping()).isEqualTo("PONG");
      }
      assertRuns(resources);
    } finally {
      shutDown(resources);
    }
  }

  @Test
  @Tag("redis")
  void two_stores_share_and_a_third_comes_after_them() {
    RedisURI uri = RedisURI.create(Servers.redis().uri());
    ClientResources resources = ClientResources.create();
    try {
      RedisStore first = patient(RedisStore.builder(uri), resources);
      RedisStore second = patient(RedisStore.builder(uri), resources);
      assertCounts(first, "two");
      first.close();
      assertCounts(second, "two");
      second.close();
      assertRuns(resources);
      try (RedisStore third = patient(RedisStore.builder(uri), resources)) {
        assertCounts(third, "two");
      }
    } finally {
      shutDown(resources);
    }
  }

  @Test
  @Tag("redis")
  void both_run_in_the_same_loops_and_each_has_its_own_handlers() {
    RedisURI uri = RedisURI.create(Servers.redis().uri());
    Customs customs = new Customs();
    ClientResources resources = ClientResources.builder().nettyCustomizer(customs).build();
    try (RedisClient application = RedisClient.create(resources, uri);
        StatefulRedisConnection<String, String> unused = application.connect();
        RedisStore store = patient(RedisStore.builder(uri), resources)) {
      assertCounts(store, "loops");
      assertThat(customs.bootstraps).hasValue(2);
      assertThat(customs.channels).hasSize(2);
      Channel theirs = customs.channels.remove();
      Channel ours = customs.channels.remove();
      assertThat(loops(ours)).isSameAs(loops(theirs));
      assertThat(theirs.pipeline().get(Silence.class)).isNull();
      assertThat(ours.pipeline().get(Silence.class)).isNotNull();
    } finally {
      shutDown(resources);
    }
  }

  private static EventLoopGroup loops(Channel channel) {
    return channel.eventLoop().parent();
  }

  /** What an application has done to each of its connections. */
  private static final class Customs implements NettyCustomizer {

    final AtomicInteger bootstraps = new AtomicInteger();
    final Queue<Channel> channels = new ConcurrentLinkedQueue<>();

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      bootstraps.incrementAndGet();
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      channels.add(channel);
    }
  }

  @Test
  @Tag("redis")
  void how_soon_to_reconnect_stays_the_stores_affair() {
    ClientResources resources =
        ClientResources.builder().reconnectDelay(Delay.constant(Duration.ofHours(1))).build();
    try (RedisServer server = RedisServer.start();
        RedisStore store = patient(RedisStore.builder(RedisURI.create(server.uri())), resources)) {
      assertCounts(store, "reconnects");
      server.restart();
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Eventually.within(PATIENCE, "an exact decision", () -> !limiter.hit("k").degraded());
    } finally {
      shutDown(resources);
    }
  }

  @Test
  @Tag("sentinel")
  void sentinels_are_named_by_a_uri_of_lettuce() {
    RedisURI uri = RedisURI.create(Servers.sentinels().uri());
    ClientResources resources = ClientResources.create();
    try (RedisStore store = patient(RedisStore.builder(uri), resources)) {
      assertCounts(store, "sentinels");
    } finally {
      shutDown(resources);
    }
  }

  @Test
  @Tag("cluster")
  void a_cluster_is_named_by_some_of_its_nodes() {
    List<RedisURI> nodes =
        Servers.cluster().nodes().stream().map(RedisServer::uri).map(RedisURI::create).toList();
    ClientResources resources = ClientResources.create();
    try {
      RedisStore store = patient(RedisStore.clusterBuilder(nodes.subList(0, 2)), resources);
      for (int i = 0; i < 20; i++) {
        assertCounts(store, "cluster" + i);
      }
      store.close();
      assertRuns(resources);
    } finally {
      shutDown(resources);
    }
  }

  @Test
  void what_must_be_given_is_asked_for() {
    RedisStore.Builder builder = RedisStore.builder("redis://localhost");
    refuses(() -> RedisStore.builder((RedisURI) null), "uri must not be null");
    refuses(() -> builder.resources(null), "resources must not be null");
    refuses(() -> builder.ssl(null), "ssl must not be null");
    refuses(
        () -> RedisStore.clusterBuilder((Collection<RedisURI>) null),
        "a cluster must have at least one node: null");
    refuses(
        () -> RedisStore.clusterBuilder(List.of()), "a cluster must have at least one node: []");
  }

  @Test
  void nodes_of_a_cluster_are_hosts_of_one_kind() {
    RedisURI plain = RedisURI.create("redis://one:6379");
    refuses(
        () -> RedisStore.clusterBuilder(List.of(plain, RedisURI.create("rediss://two:6379"))),
        "the nodes of a cluster must have the same TLS settings: one:6379 and two:6379");
    refuses(
        () -> RedisStore.clusterBuilder(List.of(RedisURI.create("redis-sentinel://one/0#m"))),
        "a node of a cluster must have a host: redis-sentinel://one?sentinelMasterId=m");
  }

  private static void refuses(Runnable call, String sentence) {
    assertThatThrownBy(call::run)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }

  private static RedisStore patient(RedisStore.Builder builder, ClientResources resources) {
    return builder.resources(resources).deadline(PATIENCE).connectTimeout(PATIENCE).build();
  }

  private static void assertCounts(RedisStore store, String key) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    limiter.reset(key);
    limiter.hit(key);
    assertThat(limiter.hit(key).used()).isEqualTo(2);
  }

  private static void assertRuns(ClientResources resources) {
    assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
    assertThat(resources.timer().newTimeout(late -> {}, 1, TimeUnit.HOURS).cancel()).isTrue();
  }

  private static void shutDown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
