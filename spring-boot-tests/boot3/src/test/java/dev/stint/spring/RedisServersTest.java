package dev.stint.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import reactor.core.publisher.Mono;

/** Counts are stored on the Redis of the application, in every way to connect, or nowhere. */
@ExtendWith(OutputCaptureExtension.class)
class RedisServersTest {

  private static final String ACTION =
      "Name the server to count on in stint.redis.uri, such as redis://localhost:6379, or check"
          + " spring.data.redis, stint.redis.prefix and stint.redis.deadline.";

  @TempDir Path folder;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {}

  /** Connections that Boot has no properties for. */
  @Configuration(proxyBeanMethods = false)
  static class MasterAndReplica {
    @Bean
    LettuceConnectionFactory connections() {
      return new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("127.0.0.1"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class UnixSocket {
    @Bean
    LettuceConnectionFactory connections(Environment environment) {
      return new LettuceConnectionFactory(
          new RedisSocketConfiguration(environment.getRequiredProperty("test.socket")));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Credentials implements RedisCredentialsProviderFactory {
    @Bean
    LettuceConnectionFactory connections(Environment environment) {
      return new LettuceConnectionFactory(
          new RedisStandaloneConfiguration(
              "127.0.0.1", environment.getRequiredProperty("test.port", Integer.class)),
          LettuceClientConfiguration.builder().redisCredentialsProviderFactory(this).build());
    }

    @Override
    public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
      return () -> Mono.just(RedisCredentials.just("ann", "hush"));
    }
  }

  private static ConfigurableApplicationContext start(List<Class<?>> more, String... properties) {
    List<Class<?>> sources = new ArrayList<>(List.of(App.class));
    sources.addAll(more);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.main.banner-mode=off",
                "--stint.store=redis",
                "--stint.redis.deadline=5s",
                "--stint.rules.api.limit=3/day"));
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
        .web(WebApplicationType.NONE)
        .run(arguments.toArray(String[]::new));
  }

  private static void assertIsCountedOn(RedisServer redis, ConfigurableApplicationContext app) {
    Stores stores = app.getBean(Stores.class);
    await().atMost(Duration.ofSeconds(30)).until(() -> stores.trouble().isEmpty());
    hit(app);
    assertThat(counters(redis, "stint:{*:api*")).isPositive();
  }

  private static long counters(RedisServer redis, String names) {
    try (Resp resp = redis.resp()) {
      return resp.number("EVAL", "return #redis.call('keys', ARGV[1])", "0", names);
    }
  }

  private static boolean hit(ConfigurableApplicationContext app) {
    return app.getBean(HttpLimiters.class)
        .beforeAuthentication()
        .decide(new EmptyRequest())
        .allowed();
  }

  private static String[] on(RedisServer redis, String... more) {
    List<String> all = new ArrayList<>(List.of("spring.data.redis.host=127.0.0.1"));
    all.add("spring.data.redis.port=" + redis.port());
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void masters_and_replicas_are_refused(CapturedOutput output) {
    assertThatThrownBy(() -> start(List.of(MasterAndReplica.class))).isNotNull();
    assertThat(output.getAll())
        .contains(
            "Reason: counting needs one server that is always the master, and"
                + " spring.data.redis.masterreplica does not say which one that is")
        .contains(ACTION);
  }

  @Test
  void masters_and_replicas_of_boot_4_are_refused(CapturedOutput output) {
    assumeThat(SpringBootVersion.getVersion()).startsWith("4.");
    assertThatThrownBy(
            () -> start(List.of(), "spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2"))
        .isNotNull();
    assertThat(output.getAll()).contains("Reason: counting needs one server that is always the");
  }

  @Test
  void a_unix_socket_is_followed() {
    Path socket = folder.resolve("redis.sock");
    try (RedisServer redis =
            RedisServer.start(settings -> settings.config("unixsocket", socket.toString()));
        ConfigurableApplicationContext app =
            start(List.of(UnixSocket.class), "test.socket=" + socket)) {
      assertIsCountedOn(redis, app);
    }
  }

  @Test
  void a_provider_of_credentials_is_asked() {
    try (RedisServer redis =
            RedisServer.start(
                settings ->
                    settings.acl("ann on >hush ~* &* +@all").acl("default on nopass -@all +ping"));
        ConfigurableApplicationContext app =
            start(List.of(Credentials.class), "test.port=" + redis.port())) {
      Stores stores = app.getBean(Stores.class);
      await().atMost(Duration.ofSeconds(30)).until(() -> stores.trouble().isEmpty());
      assertThat(app.getBean(HttpLimiters.class).peek("api", "127.0.0.1").degraded()).isFalse();
    }
  }

  @Test
  void an_ssl_bundle_is_used() throws Exception {
    int port = freePort();
    certificate();
    try (RedisServer redis =
            RedisServer.start(
                settings ->
                    settings
                        .config("tls-port", Integer.toString(port))
                        .config("tls-auth-clients", "no")
                        .config("tls-cert-file", folder.resolve("certificate.pem").toString())
                        .config("tls-key-file", folder.resolve("key.pem").toString())
                        .config("tls-ca-cert-file", folder.resolve("certificate.pem").toString()));
        ConfigurableApplicationContext app =
            start(
                List.of(),
                "spring.data.redis.host=localhost",
                "spring.data.redis.port=" + port,
                "spring.data.redis.ssl.bundle=redis",
                "spring.ssl.bundle.pem.redis.truststore.certificate=file:"
                    + folder.resolve("certificate.pem"))) {
      assertIsCountedOn(redis, app);
    }
  }

  @Test
  void applications_of_different_names_have_counts_of_their_own(CapturedOutput output) {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext orders =
            start(List.of(), on(redis, "spring.application.name=orders"));
        ConfigurableApplicationContext shop =
            start(List.of(), on(redis, "spring.application.name=shop"))) {
      for (int i = 0; i < 3; i++) {
        assertThat(hit(orders)).isTrue();
      }
      assertThat(hit(orders)).isFalse();
      assertThat(hit(shop)).isTrue();
      assertThat(counters(redis, "stint:orders:{*:api*")).isOne();
      assertThat(counters(redis, "stint:shop:{*:api*")).isOne();
      assertThat(output.getAll())
          .contains("Counts are stored in Redis under the prefix stint:orders: (stint.redis.prefix")
          .contains("under the prefix stint:shop:");
    }
  }

  @Test
  void the_prefix_is_plain_without_a_name_and_as_it_is_set_with_one(CapturedOutput output) {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext nameless = start(List.of(), on(redis));
        ConfigurableApplicationContext kept =
            start(
                List.of(),
                on(redis, "spring.application.name=orders", "stint.redis.prefix=stint:"))) {
      assertThat(hit(nameless)).isTrue();
      assertThat(hit(nameless)).isTrue();
      assertThat(hit(kept)).isTrue();
      assertThat(hit(kept)).isFalse();
      assertThat(hit(nameless)).isFalse();
      assertThat(output.getAll()).contains("under the prefix stint: (stint.redis.prefix");
    }
  }

  @Test
  void a_name_that_cannot_be_a_prefix_is_refused(CapturedOutput output) {
    assertThatThrownBy(() -> start(List.of(), "spring.application.name={orders}")).isNotNull();
    assertThat(output.getAll())
        .contains(
            "The property 'stint.redis.prefix' cannot be used: its value is 'stint:{orders}:'.")
        .contains("Write a prefix without braces; it is made of spring.application.name if");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Writes a new key and its certificate for localhost as PEM files. */
  private void certificate() throws Exception {
    Path keys = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storepass",
                "secret",
                "-keystore",
                keys.toString())
            .redirectErrorStream(true)
            .start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, "secret".toCharArray());
    }
    pem("key.pem", "PRIVATE KEY", store.getKey("redis", "secret".toCharArray()).getEncoded());
    pem("certificate.pem", "CERTIFICATE", store.getCertificate("redis").getEncoded());
  }

  private void pem(String file, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    String pem = "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(what, text);
    Files.write(folder.resolve(file), pem.getBytes(US_ASCII));
  }
}
