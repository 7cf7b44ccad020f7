package dev.stint.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The floor: a script that does nothing, called by digest with one key, over one Lettuce connection
 * with default options that all callers share.
 */
final class TrivialScript implements RedisSubject {

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final String digest;

  TrivialScript(String uri, boolean admit) {
    client = RedisClient.create(uri);
    connection = client.connect();
    digest = connection.sync().scriptLoad(admit ? "return 1" : "return 0");
  }

  String digest() {
    return digest;
  }

  @Override
  public boolean hit(String key) {
    return connection.sync().<Long>evalsha(digest, ScriptOutputType.INTEGER, key) == 1;
  }

  @Override
  public CompletionStage<Boolean> hitAsync(String key) {
    return connection
        .async()
        .<Long>evalsha(digest, ScriptOutputType.INTEGER, key)
        .thenApply(answer -> answer == 1);
  }

  @Override
  public CompletionStage<?> insert(String key) {
    return CompletableFuture.completedFuture(key);
  }

  @Override
  public CompletionStage<?> exhaust(String key) {
    return insert(key);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
