package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import dev.stint.lab.TcpProxy;
import dev.stint.server.Main;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is stopped answers everything that it was asked before. */
class DrainTest {

  private static final int CLIENTS = 10;

  @TempDir Path folder;

  private static Configuration patient(Configuration configuration, String redis) {
    StoreSettings usual = StoreSettings.at(redis);
    Duration deadline = Duration.ofSeconds(20);
    return configuration
        .withStore(
            new StoreSettings(
                redis,
                usual.maxKeys(),
                usual.requestKeys(),
                usual.prefix(),
                deadline,
                usual.instances()))
        .withRls(new RlsSettings(deadline, configuration.rls().domains()));
  }

  @Test
  @Tag("redis")
  void everything_asked_before_is_answered_and_nobody_comes_in_any_more() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port());
        Tasks clients = new Tasks();
        Tasks stopping = new Tasks()) {
      Service service = Service.start(patient(Setup.wide(folder), proxy.uri()));
      int http = service.httpPort();
      int admin = service.adminPort();
      List<Rls> channels = new ArrayList<>();
      CountDownLatch warm = new CountDownLatch(3 * CLIENTS);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger answered = new AtomicInteger();
      for (int i = 0; i < CLIENTS; i++) {
        Http byHttp = Http.connect(http);
        Resp byResp = Resp.connect(service.respPort());
        Rls byGrpc = Rls.connect(service.grpcPort());
        channels.add(byGrpc);
        once(
            clients,
            warm,
            go,
            answered,
            () -> assertThat(byHttp.hit("strict", "a").status()).isEqualTo(200));
        once(
            clients,
            warm,
            go,
            answered,
            () -> assertThat(byResp.list("STINT.HIT", "strict", "a").get(0)).isEqualTo(1L));
        once(
            clients,
            warm,
            go,
            answered,
            () -> assertThat(byGrpc.hit("strict", "a")).isEqualTo(Code.OK));
      }
      assertThat(warm.await(30, TimeUnit.SECONDS)).isTrue();
      proxy.latency(Duration.ofMillis(700));
      long before = proxy.requestBytes();
      go.countDown();
      await().until(() -> proxy.requestBytes() > before && proxy.requestBytes() == settled(proxy));
      assertThat(answered).as("in flight when it is stopped").hasValue(0);
      try (Http ready = Http.connect(admin)) {
        assertThat(ready.get("/ready").status()).isEqualTo(200);
        stopping.once(service::close);
        await().until(() -> status(admin) == 503);
      }
      await().until(() -> isClosed(http));
      clients.join();
      stopping.join();
      assertThat(clients.troubles()).isEmpty();
      assertThat(stopping.troubles()).isEmpty();
      assertThat(answered).hasValue(3 * CLIENTS);
      assertThat(isClosed(admin)).isTrue();
      channels.forEach(Rls::close);
    }
  }

  /** Asks once to be connected, and once more when told to. */
  private static void once(
      Tasks clients,
      CountDownLatch warm,
      CountDownLatch go,
      AtomicInteger answered,
      Tasks.Work question) {
    clients.once(
        () -> {
          question.run();
          warm.countDown();
          go.await();
          question.run();
          answered.incrementAndGet();
        });
  }

  private static long settled(TcpProxy proxy) throws InterruptedException {
    Thread.sleep(150);
    return proxy.requestBytes();
  }

  private static int status(int admin) {
    try (Http ready = Http.connect(admin)) {
      return ready.get("/ready").status();
    } catch (IOException e) {
      return 0;
    }
  }

  private static boolean isClosed(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void a_process_that_is_told_to_end_answers_and_ends_well() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    java,
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "serve",
                    "--http",
                    "127.0.0.1:0",
                    "--grpc",
                    "127.0.0.1:0",
                    "--resp",
                    "127.0.0.1:0",
                    "--admin",
                    "127.0.0.1:0"))
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (Tasks clients = new Tasks()) {
      Map<String, Integer> ports = ports(process.inputReader());
      AtomicInteger answered = new AtomicInteger();
      CountDownLatch warm = new CountDownLatch(200);
      for (int i = 0; i < 4; i++) {
        clients.once(() -> askUntilClosed(ports.get("http"), answered, warm));
      }
      assertThat(warm.await(30, TimeUnit.SECONDS)).isTrue();
      process.destroy(); // SIGTERM
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      clients.join();
      assertThat(clients.troubles()).isEmpty();
      assertThatThrownBy(() -> Http.connect(ports.get("http"))).isInstanceOf(IOException.class);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, Integer> ports(BufferedReader out) throws IOException {
    Map<String, Integer> ports = new HashMap<>();
    for (String line = out.readLine();
        line != null && !line.equals("ready");
        line = out.readLine()) {
      String[] words = line.split("\\s+", -1);
      if (words.length == 2 && words[1].startsWith("127.0.0.1:")) {
        ports.put(words[0], Integer.parseInt(words[1].substring(10)));
      }
    }
    return ports;
  }

  /**
   * Asks again and again. An answer that has begun must be whole; a connection may only be closed
   * between two answers, before the next question has been read.
   */
  private static void askUntilClosed(int port, AtomicInteger answered, CountDownLatch warm)
      throws IOException {
    try (Http http = Http.connect(port)) {
      while (true) {
        Http.Answer answer;
        try {
          answer = http.get("/check?userId=alice");
        } catch (IOException closed) {
          assertThat(closed.getMessage()).doesNotContain("whole").doesNotContain("HTTP");
          return;
        }
        assertThat(answer.status()).isIn(200, 429);
        answered.incrementAndGet();
        warm.countDown();
        if ("close".equals(answer.headers().get("connection"))) {
          return;
        }
      }
    }
  }
}
