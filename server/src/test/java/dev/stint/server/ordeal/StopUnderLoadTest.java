package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A service that is stopped under load answers every request that it has decided on: what was
 * charged is what clients got answers for, stop after stop, on every wire.
 */
class StopUnderLoadTest {

  private static final int STOPS = Integer.getInteger("stint.stops", 5);
  private static final int CLIENTS = 4;
  private static final int WARM = 300;

  @TempDir Path folder;

  /** How a client connects. */
  enum Load {
    HTTP_KEEP_ALIVE {
      @Override
      LoadClient connect(Service service) throws IOException {
        return LoadClient.http(service.httpPort(), 1);
      }
    },
    HTTP_PIPELINED {
      @Override
      LoadClient connect(Service service) throws IOException {
        return LoadClient.http(service.httpPort(), 200);
      }
    },
    HTTP2 {
      @Override
      LoadClient connect(Service service) throws IOException {
        return LoadClient.http2(service.httpPort(), 50);
      }
    },
    GRPC {
      @Override
      LoadClient connect(Service service) throws IOException {
        return LoadClient.grpc(service.grpcPort(), 50);
      }
    },
    RESP_PIPELINED {
      @Override
      LoadClient connect(Service service) throws IOException {
        return LoadClient.resp(service.respPort(), 200);
      }
    };

    abstract LoadClient connect(Service service) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(Load.class)
  void every_request_that_was_charged_is_answered(Load load) throws Exception {
    Configuration configuration = Setup.wide(folder);
    Random random = new Random(load.name().hashCode());
    for (int stop = 0; stop < STOPS; stop++) {
      AtomicInteger charged = new AtomicInteger();
      Stores stores = Stores.open(configuration.store(), configuration.rls().deadline());
      Service service =
          Service.start(configuration, new Engine(configuration, stores, counting(charged)));
      List<LoadClient> clients = new ArrayList<>();
      try (Tasks tasks = new Tasks()) {
        for (int i = 0; i < CLIENTS; i++) {
          LoadClient client = load.connect(service);
          clients.add(client);
          tasks.once(client::run);
        }
        await().until(() -> answered(clients) > WARM || !tasks.troubles().isEmpty());
        Thread.sleep(random.nextInt(20));
        service.close();
        tasks.join();
        assertThat(tasks.troubles()).as("stop %s", stop).isEmpty();
        assertThat(answered(clients)).as("answers, stop %s", stop).isEqualTo(charged.get());
        for (LoadClient client : clients) {
          if (client.losesNothing()) {
            assertThat(client.answered()).as("answers to all").isEqualTo(client.sent());
          }
        }
      } finally {
        service.close();
        for (LoadClient client : clients) {
          client.close();
        }
      }
    }
  }

  private static int answered(List<LoadClient> clients) {
    return clients.stream().mapToInt(LoadClient::answered).sum();
  }

  /** Counts decisions of policies and of Envoy's rules. */
  private static Watch counting(AtomicInteger charged) {
    return (Watch)
        Proxy.newProxyInstance(
            Watch.class.getClassLoader(),
            new Class<?>[] {Watch.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("decided")) {
                charged.incrementAndGet();
              }
              return null;
            });
  }
}
