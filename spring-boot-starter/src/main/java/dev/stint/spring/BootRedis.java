package dev.stint.spring;

import dev.stint.redis.RedisStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A store on the servers, threads, credentials and TLS settings of an application's own
 * connections. A kind of connection that it cannot follow is refused: to count on another Redis
 * than the application's would go unnoticed.
 */
final class BootRedis {

  private final LettuceConnectionFactory connections;
  private final LettuceClientConfiguration client;
  private final @Nullable RedisCredentialsProviderFactory credentials;

  private BootRedis(LettuceConnectionFactory connections) {
    this.connections = connections;
    this.client = connections.getClientConfiguration();
    this.credentials = client.getRedisCredentialsProviderFactory().orElse(null);
  }

  static RedisStore.Builder builder(LettuceConnectionFactory connections) {
    LettuceClientConfiguration client = connections.getClientConfiguration();
    RedisStore.Builder builder = new BootRedis(connections).servers();
    client.getClientResources().ifPresent(builder::resources);
    client.getClientOptions().map(ClientOptions::getSslOptions).ifPresent(builder::ssl);
    client
        .getClientOptions()
        .map(ClientOptions::getReauthenticateBehaviour)
        .ifPresent(builder::reauthenticate);
    return builder;
  }

  private RedisStore.Builder servers() {
    RedisClusterConfiguration cluster = connections.getClusterConfiguration();
    if (cluster != null) {
      return RedisStore.clusterBuilder(nodes(cluster));
    }
    RedisSentinelConfiguration sentinel = connections.getSentinelConfiguration();
    if (sentinel != null) {
      return RedisStore.builder(master(sentinel));
    }
    RedisSocketConfiguration socket = connections.getSocketConfiguration();
    return RedisStore.builder(socket == null ? server() : unixSocket(socket));
  }

  private RedisURI server() {
    RedisConfiguration server = configuration();
    if (!RedisConfiguration.isHostAndPortAware(server)) {
      throw new IllegalArgumentException(
          RedisConfiguration.isStaticMasterReplicaConfiguration(server)
              ? "counting needs one server that is always the master, and spring.data.redis"
                  + ".masterreplica does not say which one that is"
              : "connections must be to a server, a Unix socket, sentinels or a cluster: "
                  + server.getClass().getName());
    }
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(connections.getHostName())
            .withPort(connections.getPort())
            .withDatabase(connections.getDatabase());
    authenticate(uri, server);
    return secured(named(uri)).build();
  }

  /**
   * What the factory was made of. It has getters for all kinds but a list of masters and replicas;
   * of that it gives the settings of a server on localhost, which has nothing to do with it.
   */
  private RedisConfiguration configuration() {
    Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration");
    if (field != null) {
      ReflectionUtils.makeAccessible(field);
      if (ReflectionUtils.getField(field, connections) instanceof RedisConfiguration known) {
        return known;
      }
    }
    return connections.getStandaloneConfiguration();
  }

  private RedisURI unixSocket(RedisSocketConfiguration socket) {
    RedisURI.Builder uri =
        RedisURI.Builder.socket(socket.getSocket()).withDatabase(socket.getDatabase());
    authenticate(uri, socket);
    return named(uri).build();
  }

  private RedisURI master(RedisSentinelConfiguration sentinels) {
    String name = sentinels.getMaster() == null ? "" : sentinels.getMaster().getName();
    RedisURI.Builder uri =
        RedisURI.builder()
            .withSentinelMasterId(String.valueOf(name))
            .withDatabase(sentinels.getDatabase());
    for (RedisNode node : sentinels.getSentinels()) {
      RedisURI.Builder sentinel = RedisURI.builder().withHost(host(node)).withPort(port(node));
      authenticate(
          sentinel,
          sentinels.getSentinelUsername(),
          sentinels.getSentinelPassword(),
          credentials == null ? null : credentials.createSentinelCredentialsProvider(sentinels));
      uri.withSentinel(secured(sentinel).build());
    }
    authenticate(uri, sentinels);
    return secured(named(uri)).build();
  }

  private List<RedisURI> nodes(RedisClusterConfiguration cluster) {
    List<RedisURI> nodes = new ArrayList<>();
    for (RedisNode node : cluster.getClusterNodes()) {
      RedisURI.Builder uri = RedisURI.builder().withHost(host(node)).withPort(port(node));
      authenticate(uri, cluster);
      nodes.add(secured(named(uri)).build());
    }
    return nodes;
  }

  private void authenticate(RedisURI.Builder uri, RedisConfiguration servers) {
    authenticate(
        uri,
        RedisConfiguration.getUsernameOrElse(servers, () -> null),
        RedisConfiguration.getPasswordOrElse(servers, RedisPassword::none),
        credentials == null ? null : credentials.createCredentialsProvider(servers));
  }

  private static void authenticate(
      RedisURI.Builder uri,
      @Nullable String user,
      RedisPassword password,
      @Nullable RedisCredentialsProvider provider) {
    if (provider != null) {
      uri.withAuthentication(provider);
    } else if (user != null && !user.isEmpty()) {
      uri.withAuthentication(user, password.toOptional().orElse(new char[0]));
    } else {
      password.toOptional().ifPresent(uri::withPassword);
    }
  }

  private RedisURI.Builder named(RedisURI.Builder uri) {
    client.getClientName().ifPresent(uri::withClientName);
    return uri;
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
