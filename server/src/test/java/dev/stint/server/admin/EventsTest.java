package dev.stint.server.admin;

import static dev.stint.server.admin.Viewer.at;
import static dev.stint.server.admin.Watched.policies;
import static dev.stint.server.admin.Watched.policy;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.algorithm.Operation;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Exceptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventsTest {

  private static final String VIEWERS = "stint_dashboard_viewers";
  private static final String SNAPSHOTS = "stint_dashboard_snapshots_total";
  private static final Map<String, PolicySettings> ONE = policies("api", policy("10/minute"));

  @Test
  void the_past_comes_first_and_then_the_present_at_once() throws Exception {
    try (Watched watched = new Watched(Watched.open(ONE));
        Viewer viewer = watched.viewer()) {
      Viewer.Event first = viewer.next();
      assertThat(first.name()).isEqualTo("history");
      assertThat(first.data()).containsOnlyKeys("now", "stepMillis", "columns", "policies");
      assertThat(at(first.data(), "policies", 0))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsOnlyKeys("name", "admitted", "refused", "shadowRefused", "degraded");
      assertThat((List<?>) at(first.data(), "policies", 0, "admitted")).hasSize(180);
      assertThat(viewer.next().name()).isEqualTo("snapshot");
      assertThat(viewer.response().headers().firstValue("Content-Type"))
          .hasValue("text/event-stream");
    }
  }

  @Test
  void a_snapshot_says_what_the_engine_has_decided() throws Exception {
    Map<String, PolicySettings> both =
        policies("api", policy("10/minute", false, false, Optional.of("next")));
    both.put("next", policy("4/minute"));
    try (Watched watched = new Watched(Watched.open(both))) {
      watched.hit("api", "alice", 12);
      try (Viewer viewer = watched.viewer()) {
        Map<String, @Nullable Object> told = viewer.snapshot();
        assertThat(told)
            .containsOnlyKeys(
                "now",
                "startedAt",
                "version",
                "writable",
                "httpPort",
                "totals",
                "perSecond",
                "p99Micros",
                "store",
                "policies",
                "policiesLeftOut",
                "top",
                "exceptions",
                "exceptionsLeftOut");
        assertThat(told.get("now")).isEqualTo(watched.time.now().toEpochMilli());
        assertThat(told.get("writable")).isEqualTo(false);
        assertThat(told.get("httpPort")).isEqualTo((long) watched.service.httpPort());
        assertThat(told.get("p99Micros")).isInstanceOf(Double.class);
        assertThat(told.get("totals"))
            .isEqualTo(Map.of("admitted", 10L, "refused", 2L, "shadowRefused", 0L, "degraded", 0L));
        assertThat(at(told, "store", "kind")).isEqualTo("memory");
        assertThat(at(told, "store", "state")).isEqualTo("up");
        assertThat(at(told, "store", "breaker")).isEqualTo("none");
        assertThat(at(told, "store", "keys")).isEqualTo(2L); // one of each policy

        Object api = at(told, "policies", 0);
        assertThat(at(api, "name")).isEqualTo("api");
        assertThat(at(api, "kind")).isEqualTo("policy");
        assertThat(at(api, "limits")).isEqualTo(List.of("10/minute"));
        assertThat(at(api, "mode")).isEqualTo("enforce");
        assertThat(at(api, "admitted")).isEqualTo(10L);
        assertThat(at(api, "refused")).isEqualTo(2L);
        assertThat(at(api, "overrides")).isEqualTo(0L);
        assertThat(at(api, "use")).isEqualTo(0.625); // (1 + … + 10 + 10 + 10) / 12 of 10
        assertThat(at(api, "nearLimit")).isEqualTo(0.3333); // two beyond 80 %, and two refusals
        assertThat(at(api, "column", "admitted")).isEqualTo(10L);
        assertThat(at(api, "column", "refused")).isEqualTo(2L);
        assertThat(at(api, "candidate"))
            .isEqualTo(
                Map.of(
                    "name", "next",
                    "limits", List.of("4/minute"),
                    "bothAllow", 4L,
                    "onlyLiveAllows", 6L,
                    "onlyCandidateAllows", 0L,
                    "bothRefuse", 2L));
        assertThat(at(told, "top", "used", 0))
            .isEqualTo(Map.of("policy", "api", "key", "alice", "count", 12L, "error", 0L));
      }
    }
  }

  @Test
  void what_came_with_requests_is_in_the_totals_and_has_a_line() throws Exception {
    try (Watched watched = new Watched(Watched.open(ONE))) {
      watched
          .service
          .engine()
          .ask(
              Operation.HIT,
              watched.service.engine().policies().ofRequest("1/minute"),
              "bob".getBytes(StandardCharsets.UTF_8),
              1);
      try (Viewer viewer = watched.viewer()) {
        Map<String, @Nullable Object> told = viewer.snapshot();
        assertThat(at(told, "totals", "admitted")).isEqualTo(1L);
        assertThat(at(told, "policies", 1, "name")).isEqualTo("_request");
        assertThat(at(told, "policies", 1, "kind")).isEqualTo("request");
      }
    }
  }

  @Test
  void one_snapshot_a_second_is_for_all_and_none_for_nobody() throws Exception {
    try (Watched watched = new Watched(Watched.open(ONE))) {
      await()
          .pollDelay(3, SECONDS)
          .untilAsserted(() -> assertThat(watched.metric(SNAPSHOTS)).isZero());
      try (Viewer one = watched.viewer();
          Viewer two = watched.viewer();
          Viewer three = watched.viewer()) {
        for (int i = 0; i < 3; i++) {
          one.snapshot();
          two.snapshot();
          three.snapshot();
        }
        assertThat(watched.metric(SNAPSHOTS)).isBetween(2.0, 5.0);
      }
      await().atMost(20, SECONDS).until(() -> watched.metric(VIEWERS) == 0);
    }
  }

  @Test
  void the_seventeenth_viewer_is_told_to_come_back_and_finds_a_place_that_was_left()
      throws Exception {
    try (Watched watched = new Watched(Watched.open(ONE))) {
      List<Viewer> viewers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        viewers.add(watched.viewer());
        assertThat(viewers.get(i).status()).isEqualTo(200);
      }
      assertThat(watched.get("/events").statusCode()).isEqualTo(503);
      assertThat(watched.get("/events").body()).contains("at most 16 may watch");
      viewers.remove(0).close();
      await().atMost(20, SECONDS).until(() -> watched.metric(VIEWERS) < 16);
      try (Viewer late = watched.viewer()) {
        assertThat(late.status()).isEqualTo(200);
      }
      for (Viewer viewer : viewers) {
        viewer.close();
      }
    }
  }

  /** Keys of a few hundred bytes make snapshots that fill the buffers of a deaf connection. */
  @Test
  void who_does_not_read_is_dropped() throws Exception {
    try (Watched watched =
            new Watched(
                Watched.open(ONE)
                    .withTelemetry(new Telemetry(1000, false, false, Optional.empty())));
        Socket deaf = new Socket()) {
      for (int i = 0; i < 1000; i++) {
        watched.hit("api", i + "x".repeat(200), 1);
      }
      deaf.setReceiveBufferSize(1 << 10);
      deaf.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), watched.service.adminPort()),
          10_000);
      deaf.getOutputStream()
          .write(
              "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      await().atMost(10, SECONDS).until(() -> watched.metric(VIEWERS) == 1);
      await().atMost(40, SECONDS).until(() -> watched.metric(VIEWERS) == 0);
      assertThat(watched.get("/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_stream_needs_what_every_page_needs() throws Exception {
    try (Watched watched = new Watched(Watched.closed(ONE))) {
      assertThat(watched.get("/events").statusCode()).isEqualTo(401);
      assertThat(watched.get("/explain?policy=api&key=a").statusCode()).isEqualTo(401);
      try (Viewer viewer = watched.viewer()) {
        assertThat(viewer.snapshot().get("writable")).isEqualTo(true);
      }
    }
  }

  @Test
  void the_page_is_for_browsers_has_no_data_and_runs_only_its_own_script() throws Exception {
    try (Watched watched = new Watched(Watched.closed(ONE))) {
      var page = watched.get("/", "Accept", "text/html,*/*");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .contains("default-src 'none'", "connect-src 'self'")
          .doesNotContain("unsafe");
      assertThat(page.body()).doesNotContain("10/minute");
      assertThat(watched.get("/", "Authorization", "Bearer " + Watched.TOKEN).body())
          .contains("/metrics", "/explain");
    }
  }

  private static Socket connected(Watched watched, String request) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), watched.service.adminPort());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** The bound on draining, ten seconds, is for those who are being answered. */
  @Test
  void nobody_who_has_asked_nothing_holds_up_the_end() throws Exception {
    Watched watched = new Watched(Watched.open(ONE));
    try (Socket silent = connected(watched, "");
        Socket half = connected(watched, "GET /rea");
        Socket idle = connected(watched, "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Socket viewer = connected(watched, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      assertThat(idle.getInputStream().read()).isEqualTo('H');
      assertThat(viewer.getInputStream().read()).isEqualTo('H');
      long start = System.nanoTime();
      watched.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(half.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void who_does_not_read_does_not_hold_up_the_end() throws Exception {
    Watched watched = new Watched(Watched.open(ONE));
    for (int i = 0; i < 200; i++) { // long lists are more than a connection's buffers hold
      byte[] key = (i + "x".repeat(50_000)).getBytes(StandardCharsets.US_ASCII);
      watched
          .service
          .engine()
          .exceptions()
          .put("api", key, Exceptions.Kind.BLOCK, Duration.ofHours(1));
    }
    try (Socket deaf = connected(watched, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      assertThat(deaf.getInputStream().read()).isEqualTo('H');
      long start = System.nanoTime();
      watched.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }
}
