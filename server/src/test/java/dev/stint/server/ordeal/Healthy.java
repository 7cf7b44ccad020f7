package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.Resp;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that behave, one on each wire, while others do not. Each answer must be right: allowed,
 * and with a count that is one higher than before.
 *
 * <p>One that was itself kept from asking, by the machine or the collector, may find its connection
 * closed for idleness; it then comes again, as clients do.
 */
final class Healthy implements AutoCloseable {

  private static final long PAUSE_NANOS = 5_000_000;
  private static final long HELD_UP_NANOS = 500_000_000;
  private static final long AMOUNT = 1_000_000;

  private final Tasks tasks = new Tasks();
  private final Client http;
  private final Client resp;
  private final Client grpc;

  private Healthy(Service service) throws Exception {
    http =
        new Client(
            () -> {
              Http client = Http.connect(service.httpPort());
              return new Connection(used -> hit(client, used), client);
            });
    resp =
        new Client(
            () -> {
              Resp client = Resp.connect(service.respPort());
              return new Connection(used -> hit(client, used), client);
            });
    grpc =
        new Client(
            () -> {
              Rls client = Rls.connect(service.grpcPort());
              return new Connection(
                  used -> assertThat(client.hit("user", "healthy")).isEqualTo(Code.OK), client);
            });
    tasks.again(http::ask);
    tasks.again(resp::ask);
    tasks.again(grpc::ask);
  }

  static Healthy on(Service service) throws Exception {
    return new Healthy(service);
  }

  private static void hit(Http client, long used) throws IOException {
    Http.Answer answer = client.hit("api", "healthy by http");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("\"used\":" + used + ",");
  }

  private static void hit(Resp client, long used) {
    assertThat(client.list("STINT.HIT", "api", "healthy by resp").subList(0, 3))
        .containsExactly(1L, AMOUNT, AMOUNT - used);
  }

  /**
   * Ends them; all must have been answered, and rightly, this often and once more after now: what
   * was done to the service must not have hurt it for good either.
   */
  void judge(int least) throws InterruptedException {
    for (Client client : new Client[] {http, resp, grpc}) {
      long before = client.answered.get();
      await().until(() -> client.answered.get() > before || !tasks.troubles().isEmpty());
    }
    tasks.end();
    assertThat(tasks.troubles()).as("troubles of those who behave").isEmpty();
    for (Client client : new Client[] {http, resp, grpc}) {
      assertThat(client.answered.get()).isGreaterThanOrEqualTo(least);
    }
  }

  @Override
  public void close() throws Exception {
    tasks.close();
    for (Client client : new Client[] {http, resp, grpc}) {
      client.connection.end.close();
    }
  }

  private interface Question {
    void ask(long number) throws Exception;
  }

  private record Connection(Question question, AutoCloseable end) {}

  private interface Connector {
    Connection connect() throws Exception;
  }

  private static final class Client {
    private final AtomicLong answered = new AtomicLong();
    private final Connector connector;
    private Connection connection;
    private long lastAnswer = System.nanoTime();

    Client(Connector connector) throws Exception {
      this.connector = connector;
      this.connection = connector.connect();
    }

    void ask() throws Exception {
      try {
        connection.question.ask(answered.get() + 1);
        answered.incrementAndGet();
        lastAnswer = System.nanoTime();
      } catch (IOException | UncheckedIOException | io.grpc.StatusRuntimeException e) {
        if (System.nanoTime() - lastAnswer < HELD_UP_NANOS) {
          throw e;
        }
        connection.end.close();
        connection = connector.connect();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
