package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.request;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.Tls;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcTlsTest {

  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  /** A certificate of its own for 127.0.0.1, by the JDK's keytool. */
  private Tls selfSigned() throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new Tls(
        pem("CERTIFICATE", keys.getCertificate("it").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("it", PASSWORD.toCharArray()).getEncoded()),
        null);
  }

  private Path pem(String kind, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        folder.resolve(kind.replace(' ', '-') + ".pem"),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  @Test
  void speaks_over_tls_and_reads_its_certificate_again() throws Exception {
    Tls tls = selfSigned();
    Listener off = Listener.on(Listener.OFF);
    Configuration configuration =
        Configuration.standard()
            .withRls(Rules.domain(key("user").perMinute(5)))
            .withListeners(new Listeners(off, Listener.on("127.0.0.1", 0).tls(tls), off, off));
    Engine engine = new Engine(configuration, Stores.inMemory(ManualTime.create()), Watch.NOBODY);
    try (Service service = Service.start(configuration, engine)) {
      assertThat(ask(service, tls)).isEqualTo(Code.OK);
      Files.delete(folder.resolve("store.p12"));
      Tls renewed = selfSigned();
      service.reloadCertificates();
      assertThat(ask(service, renewed)).isEqualTo(Code.OK);
    }
  }

  private static Code ask(Service service, Tls trusted) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", service.grpcPort())
            .sslContext(
                GrpcSslContexts.forClient().trustManager(trusted.certificate().toFile()).build())
            .build();
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .shouldRateLimit(request(descriptor("user", "a")))
          .getOverallCode();
    } finally {
      channel.shutdownNow();
    }
  }
}
