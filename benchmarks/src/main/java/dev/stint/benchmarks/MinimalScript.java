package dev.stint.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The least that a bucket can be in Redis: one limit, whole microseconds, no answer beyond yes or
 * no and how much is left. A script as one would write it by hand, called by digest over one
 * Lettuce connection with default options that all callers share.
 */
final class MinimalScript implements RedisSubject {

  /** Bucket4j has the bare names. */
  private static final String PREFIX = "minimal:";

  private static final String SOURCE =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local cost, full = ARGV[1] * ARGV[3], tonumber(ARGV[2])
      local empty = tonumber(redis.call('GET', KEYS[1]) or now)
      if empty < now then
        empty = now
      end
      empty = empty + cost
      if empty - now > full then
        return { 0, empty - now - full }
      end
      redis.call('SET', KEYS[1], string.format('%.0f', empty), 'PX', math.ceil((empty - now) / 1000))
      return { 1, full - (empty - now) }
      """;

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final String digest;
  private final String interval;
  private final String full;
  private final long amount;

  MinimalScript(String uri, Rate rate) {
    client = RedisClient.create(uri);
    connection = client.connect();
    digest = connection.sync().scriptLoad(SOURCE);
    long micros = rate.window().toNanos() / 1000;
    interval = Long.toString(micros / rate.amount());
    full = Long.toString(micros);
    amount = rate.amount();
  }

  @Override
  public boolean hit(String key) {
    return isAdmitted(
        connection
            .sync()
            .evalsha(
                digest, ScriptOutputType.MULTI, new String[] {PREFIX + key}, interval, full, "1"));
  }

  @Override
  public CompletionStage<Boolean> hitAsync(String key) {
    return take(key, 1);
  }

  private CompletionStage<Boolean> take(String key, long cost) {
    return connection
        .async()
        .<List<Object>>evalsha(
            digest,
            ScriptOutputType.MULTI,
            new String[] {PREFIX + key},
            interval,
            full,
            Long.toString(cost))
        .thenApply(MinimalScript::isAdmitted);
  }

  private static boolean isAdmitted(List<Object> answer) {
    return answer.get(0).equals(1L);
  }

  @Override
  public CompletionStage<?> insert(String key) {
    return hitAsync(key);
  }

  @Override
  public CompletionStage<?> exhaust(String key) {
    return take(key, amount);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
