package dev.stint.server.admin;

import static dev.stint.server.admin.Watched.policies;
import static dev.stint.server.admin.Watched.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TokenRotationTest {

  private static final String OTHER = "another admin's secret";
  private static final Map<String, PolicySettings> ONE = policies("api", policy("10/minute"));

  private static Viewer viewer(Watched watched, String token) throws Exception {
    return new Viewer(
        watched.client, watched.service.adminPort(), "Authorization", "Bearer " + token);
  }

  private static Configuration withToken(Secret token) {
    return Watched.open(ONE)
        .withListeners(
            new Listeners(Watched.ANY, Watched.ANY, Watched.ANY, Watched.ANY.token(token)));
  }

  @Test
  void a_new_token_takes_effect_at_once_and_ends_streams_of_the_old_one() throws Exception {
    try (Watched watched = new Watched(Watched.closed(ONE));
        Viewer old = viewer(watched, Watched.TOKEN)) {
      old.snapshot();
      watched.service.reload(withToken(Secret.of(OTHER)));

      try (Viewer refused = viewer(watched, Watched.TOKEN);
          Viewer admitted = viewer(watched, OTHER)) {
        assertThat(refused.status()).isEqualTo(401);
        assertThat(admitted.status()).isEqualTo(200);
        admitted.snapshot();
        assertThatThrownBy(() -> untilTheEnd(old)).hasMessage("the stream has ended");
        admitted.snapshot(); // goes on
      }
    }
  }

  private static void untilTheEnd(Viewer viewer) throws Exception {
    for (int i = 0; i < 30; i++) { // one event a second
      viewer.next();
    }
  }

  @Test
  void a_stream_of_the_token_in_force_goes_on_after_a_reload() throws Exception {
    try (Watched watched = new Watched(Watched.closed(ONE));
        Viewer viewer = viewer(watched, Watched.TOKEN)) {
      viewer.snapshot();
      watched.service.reload(withToken(Secret.of(Watched.TOKEN)));
      viewer.snapshot();
      viewer.snapshot();
    }
  }

  @Test
  void a_token_that_is_gone_from_the_file_is_still_asked_for() throws Exception {
    try (Watched watched = new Watched(Watched.closed(ONE))) {
      watched.service.reload(Watched.open(ONE));
      try (Viewer nobody = new Viewer(watched.client, watched.service.adminPort());
          Viewer admitted = viewer(watched, Watched.TOKEN)) {
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(admitted.status()).isEqualTo(200);
      }
    }
  }
}
