package dev.stint.spring;

import dev.stint.redis.RedisStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A store on the servers, threads and TLS settings of an application's own connections. */
final class BootRedis {

  private final LettuceClientConfiguration client;

  private BootRedis(LettuceClientConfiguration client) {
    this.client = client;
  }

  static RedisStore.Builder builder(LettuceConnectionFactory connections) {
    LettuceClientConfiguration client = connections.getClientConfiguration();
    RedisStore.Builder builder = new BootRedis(client).on(connections);
    client.getClientResources().ifPresent(builder::resources);
    client.getClientOptions().map(ClientOptions::getSslOptions).ifPresent(builder::ssl);
    return builder;
  }

  private RedisStore.Builder on(LettuceConnectionFactory connections) {
    RedisClusterConfiguration cluster = connections.getClusterConfiguration();
    if (cluster != null) {
      return RedisStore.clusterBuilder(nodes(cluster));
    }
    RedisSentinelConfiguration sentinel = connections.getSentinelConfiguration();
    return RedisStore.builder(
        sentinel == null ? server(connections.getStandaloneConfiguration()) : master(sentinel));
  }

  private RedisURI server(RedisStandaloneConfiguration server) {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(server.getHostName())
            .withPort(server.getPort())
            .withDatabase(server.getDatabase());
    return finished(uri, server);
  }

  private RedisURI master(RedisSentinelConfiguration sentinels) {
    String name = sentinels.getMaster() == null ? "" : sentinels.getMaster().getName();
    RedisURI.Builder uri =
        RedisURI.builder()
            .withSentinelMasterId(String.valueOf(name))
            .withDatabase(sentinels.getDatabase());
    for (RedisNode node : sentinels.getSentinels()) {
      RedisURI.Builder sentinel = RedisURI.builder().withHost(host(node)).withPort(port(node));
      authenticate(sentinel, sentinels.getSentinelUsername(), sentinels.getSentinelPassword());
      uri.withSentinel(secured(sentinel).build());
    }
    return finished(uri, sentinels);
  }

  private List<RedisURI> nodes(RedisClusterConfiguration cluster) {
    List<RedisURI> nodes = new ArrayList<>();
    for (RedisNode node : cluster.getClusterNodes()) {
      nodes.add(finished(RedisURI.builder().withHost(host(node)).withPort(port(node)), cluster));
    }
    return nodes;
  }

  private RedisURI finished(
      RedisURI.Builder uri, RedisConfiguration.WithAuthentication credentials) {
    authenticate(uri, credentials.getUsername(), credentials.getPassword());
    client.getClientName().ifPresent(uri::withClientName);
    return secured(uri).build();
  }

  private static void authenticate(
      RedisURI.Builder uri, @Nullable String user, RedisPassword password) {
    password
        .toOptional()
        .ifPresent(
            secret -> {
              if (user == null || user.isEmpty()) {
                uri.withPassword(secret);
              } else {
                uri.withAuthentication(user, secret);
              }
            });
  }

  private RedisURI.Builder secured(RedisURI.Builder uri) {
    return uri.withSsl(client.isUseSsl())
        .withStartTls(client.isStartTls())
        .withVerifyPeer(client.getVerifyMode());
  }

  private static String host(RedisNode node) {
    return String.valueOf(node.getHost());
  }

  private static int port(RedisNode node) {
    Integer port = node.getPort();
    return port == null ? RedisURI.DEFAULT_REDIS_PORT : port;
  }
}
