package dev.stint.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.spring.HttpLimiters;
import dev.stint.spring.RulesReloadEvent;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** Rules that change with the properties of Spring Cloud. */
class CloudReloadTest {

  @TempDir Path folder;

  private ConfigurableApplicationContext app;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {

    final List<RulesReloadEvent> reloads = new CopyOnWriteArrayList<>();

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }

    @EventListener
    void note(RulesReloadEvent event) {
      reloads.add(event);
    }
  }

  @BeforeEach
  void start() throws IOException {
    write("stint.rules.api.limit=3/hour fixed-window");
    app =
        new SpringApplicationBuilder(App.class)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--spring.cloud.compatibility-verifier.enabled=false", // none is for Boot 4.1 yet
                "--spring.cloud.gateway.server.webflux.redis.enabled=false",
                "--spring.config.additional-location=" + folder.toUri());
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private void write(String line) throws IOException {
    Files.writeString(folder.resolve("application.properties"), line + "\n");
  }

  private String left() throws Exception {
    URI uri =
        URI.create("http://127.0.0.1:" + app.getEnvironment().getProperty("local.server.port"));
    HttpResponse<Void> response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
    return response.headers().firstValue("RateLimit").orElse("none");
  }

  @Test
  void a_refresh_puts_changed_rules_in_force_and_keeps_counts() throws Exception {
    assertThat(left()).contains("r=2");
    write("stint.rules.api.limit=10/hour fixed-window");
    app.getBean(ContextRefresher.class).refresh();
    assertThat(left()).contains("r=8");
    assertThat(app.getBean(App.class).reloads).hasSize(1);
    app.getBean(ContextRefresher.class).refresh();
    assertThat(app.getBean(App.class).reloads).as("nothing has changed").hasSize(1);
  }

  @Test
  void a_refresh_with_rules_that_cannot_be_used_leaves_the_old_ones() throws Exception {
    write("stint.rules.api.limit=10/huor");
    app.getBean(ContextRefresher.class).refresh();
    assertThat(app.getBean(App.class).reloads)
        .singleElement()
        .satisfies(
            reload -> assertThat(reload.problem().orElseThrow()).contains("stint.rules.api.limit"));
    assertThat(left()).contains("r=2");
    assertThat(app.getBean(HttpLimiters.class).rules()).hasSize(1);
  }
}
