package dev.stint.redis;

import dev.stint.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The way to one server, or to the one that the sentinels call master. */
final class OneServer implements Link {

  private final String name;
  private final RedisClient client;
  private final Connection<StatefulRedisConnection<byte[], byte[]>> connection;
  private final Breaker breaker;
  private final Prober prober;

  OneServer(
      RedisURI uri,
      ClientResources resources,
      ClientOptions options,
      Timer timer,
      Prober prober,
      boolean functions,
      Complaints complaints) {
    name = Address.name(uri);
    client = RedisClient.create(resources);
    client.setOptions(options);
    connection = new Connection<>(() -> client.connectAsync(ByteArrayCodec.INSTANCE, uri), timer);
    breaker =
        new Breaker(
            new CallQueue(CommandDispatcher.TOGETHER, CommandDispatcher.BATCHES),
            new ServerFunctions(functions, this::server, complaints),
            () -> "probe",
            prober::opened);
    this.prober = prober;
  }

  @Override
  public CompletableFuture<?> open() {
    prober.start(breaker);
    return connection.firstAttempt().thenCompose(made -> breaker.ready());
  }

  @Override
  public @Nullable BaseRedisAsyncCommands<byte[], byte[]> commands() {
    StatefulRedisConnection<byte[], byte[]> made = connection.get();
    return made == null ? null : made.async();
  }

  private CompletionStage<StatefulRedisConnection<byte[], byte[]>> server() {
    StatefulRedisConnection<byte[], byte[]> made = connection.get();
    return made == null
        ? CompletableFuture.failedFuture(new StoreException(missing()))
        : CompletableFuture.completedFuture(made);
  }

  @Override
  public String missing() {
    return connection.missing();
  }

  @Override
  public Optional<String> trouble() {
    return breaker.trouble(name);
  }

  @Override
  public int slot(byte[] place) {
    return 0;
  }

  @Override
  public Breaker breaker(int slot) {
    return breaker;
  }

  @Override
  public boolean isOne() {
    return true;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
