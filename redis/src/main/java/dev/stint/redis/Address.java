package dev.stint.redis;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers are.
 *
 * @param cluster whether they are a cluster
 * @param uris the server, or the cluster's nodes to begin with
 */
record Address(boolean cluster, List<RedisURI> uris) {

  private static final String CLUSTER = "redis-cluster://";
  private static final String TLS_CLUSTER = "rediss-cluster://";

  static Address parse(@Nullable String uri) {
    if (uri == null || uri.isBlank()) {
      throw wrong(uri, null);
    }
    try {
      if (uri.startsWith(CLUSTER)) {
        return cluster("redis://", uri.substring(CLUSTER.length()));
      }
      if (uri.startsWith(TLS_CLUSTER)) {
        return cluster("rediss://", uri.substring(TLS_CLUSTER.length()));
      }
      return new Address(false, List.of(RedisURI.create(uri)));
    } catch (IllegalArgumentException e) {
      throw wrong(uri, e);
    }
  }

  static Address server(@Nullable RedisURI uri) {
    if (uri == null) {
      throw new IllegalArgumentException("uri must not be null");
    }
    return new Address(false, List.of(uri));
  }

  static Address nodes(@Nullable Collection<RedisURI> nodes) {
    if (nodes == null || nodes.isEmpty()) {
      throw new IllegalArgumentException("a cluster must have at least one node: " + nodes);
    }
    List<RedisURI> uris = new ArrayList<>(nodes);
    RedisURI first = uris.get(0);
    for (RedisURI node : uris) {
      if (node == null || node.getHost() == null) {
        throw new IllegalArgumentException("a node of a cluster must have a host: " + node);
      }
      if (!hasSameTls(first, node)) {
        throw new IllegalArgumentException(
            "the nodes of a cluster must have the same TLS settings: "
                + (name(first) + " and " + name(node)));
      }
    }
    return new Address(true, uris);
  }

  private static boolean hasSameTls(RedisURI one, RedisURI other) {
    return one.isSsl() == other.isSsl()
        && one.isStartTls() == other.isStartTls()
        && one.getVerifyMode() == other.getVerifyMode();
  }

  private static Address cluster(String scheme, String rest) {
    int at = rest.lastIndexOf('@');
    String credentials = rest.substring(0, at + 1);
    int end = rest.indexOf('/', at + 1);
    int query = rest.indexOf('?', at + 1);
    int stop = end >= 0 ? end : query >= 0 ? query : rest.length();
    List<RedisURI> uris = new ArrayList<>();
    for (String node : rest.substring(at + 1, stop).split(",", -1)) {
      uris.add(RedisURI.create(scheme + credentials + node + rest.substring(stop)));
    }
    return new Address(true, uris);
  }

  /** What an operator calls a server. */
  static String name(RedisURI uri) {
    if (uri.getSentinelMasterId() != null) {
      return "the sentinels' master " + uri.getSentinelMasterId();
    }
    return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
  }

  private static IllegalArgumentException wrong(@Nullable String uri, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "the address must be redis://host:port, rediss:// for TLS, redis-sentinel://host:port,…/0#master"
            + " or redis-cluster://host:port,…: "
            + withoutPassword(uri),
        cause);
  }

  private static String withoutPassword(@Nullable String uri) {
    return uri == null ? "null" : uri.replaceFirst("//[^@/]*@", "//***@");
  }
}
