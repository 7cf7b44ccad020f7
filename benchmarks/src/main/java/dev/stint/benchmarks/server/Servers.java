package dev.stint.benchmarks.server;

import dev.stint.lab.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The servers of a run, each started when it is first wanted, and all ended together. */
final class Servers implements AutoCloseable {

  /** A usual amount, and more than any of the many keys uses up: what is measured is passing. */
  static final String LIMIT = "1000/minute";

  /** The same as {@code CL.THROTTLE} has it: burst beyond the first, amount, seconds. */
  static final String[] THROTTLE = {"999", "1000", "60"};

  /** A limit under which a key that was asked once stays alive for minutes. */
  static final String LASTING_POLICY = "lasting";

  private static final String CONFIGURATION =
      """
      store: %s
      policies:
        api: 1000/minute
        lasting: 100/day
      rls:
        domains:
          - domain: bench
            descriptors:
              - key: user
                rate_limit: {unit: minute, requests_per_unit: 1000}
      """;

  private final Path jar;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private @Nullable ServerProcess inMemory;
  private @Nullable ServerProcess inRedis;
  private @Nullable ServerProcess floors;
  private @Nullable RedisServer floorRedis;
  private @Nullable RedisServer storeRedis;
  private @Nullable DirectRedis direct;

  /** Of this service. */
  Servers(Path jar) {
    this.jar = jar;
  }

  /** Another service in memory, which is the caller's to close. */
  ServerProcess fresh() throws IOException {
    return ServerProcess.service(jar, CONFIGURATION.formatted("memory"));
  }

  /** The service with its state in memory. */
  ServerProcess inMemory() throws IOException {
    if (inMemory == null) {
      inMemory = closing(fresh());
    }
    return inMemory;
  }

  /** The service with its state in Redis, as patient as {@link DirectRedis}. */
  ServerProcess inRedis() throws IOException {
    if (inRedis == null) {
      String store = "{url: \"%s\", deadline: 2s}".formatted(storeRedis().uri());
      inRedis = closing(ServerProcess.service(jar, CONFIGURATION.formatted(store)));
    }
    return inRedis;
  }

  /** The floors of HTTP and gRPC. They answer what the service has answered to a first request. */
  ServerProcess floors() throws IOException {
    if (floors == null) {
      ServerProcess service = inMemory();
      byte[] http = Connection.sample(service.port("http"), new HttpTalk(Requests.http(1).from(0)));
      byte[] body = Arrays.copyOfRange(http, HttpTalk.body(http, 0, http.length), http.length);
      byte[] grpc =
          Connection.sample(service.port("grpc"), new GrpcTalk(GrpcTalk.requests(1).from(0)));
      floors = closing(ServerProcess.floors(body, GrpcTalk.message(grpc)));
    }
    return floors;
  }

  /** The Redis that is asked to do nothing. */
  RedisServer floorRedis() {
    if (floorRedis == null) {
      floorRedis = closing(RedisServer.start());
    }
    return floorRedis;
  }

  /** The Redis that holds state, for the service and without it. */
  RedisServer storeRedis() {
    if (storeRedis == null) {
      storeRedis = closing(RedisServer.start());
    }
    return storeRedis;
  }

  /** The store without a service before it. */
  DirectRedis direct(int underWay, int keys) {
    if (direct == null) {
      direct = closing(new DirectRedis(storeRedis().uri(), underWay, keys));
    }
    return direct;
  }

  private <T extends AutoCloseable> T closing(T server) {
    started.push(server);
    return server;
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable server : started) {
      try {
        server.close();
      } catch (Exception e) {
        throw new IOException("a server of the benchmark must end", e);
      }
    }
  }
}
