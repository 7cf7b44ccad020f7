package dev.stint.server.net;

import static dev.stint.server.config.Permission.CHANGE;
import static dev.stint.server.config.Permission.DECIDE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Secret;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenAuthTest {

  private static final String TOKEN = "0123456789abcdef";
  private static final String OTHER = "fedcba9876543210";

  private final TokenAuth auth =
      new TokenAuth(
          Clients.of(
              Map.of(
                  "shop",
                  ClientSettings.deciding(Secret.of(TOKEN)),
                  "billing",
                  new ClientSettings(Secret.of(OTHER), Set.of(CHANGE)))));

  @Test
  void a_client_may_do_what_it_is_allowed_to_and_is_told_what_is_missing() {
    Caller shop = auth.caller("Bearer " + TOKEN);
    Caller billing = auth.caller("bearer  " + OTHER + " ");

    assertThat(shop.name()).isEqualTo("shop");
    assertThat(shop.denial(DECIDE, false)).isNull();
    assertThat(shop.denial(CHANGE, true))
        .isEqualTo(
            new Caller.Denial(
                false,
                "client 'shop' must be allowed to change counts, and is not; add change to"
                    + " clients.shop.may in stint.yaml"));
    assertThat(billing.denial(CHANGE, false)).isNull();
    assertThat(billing.denial(DECIDE, true))
        .isEqualTo(
            new Caller.Denial(
                false,
                "client 'billing' must be allowed to ask for decisions, and is not; add decide to"
                    + " clients.billing.may in stint.yaml"));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer 0123456789abcdeF",
        "Basic 0123456789abcdef",
        "0123456789abcdef",
        "Bearer 0123456789abcdef fedcba9876543210"
      })
  void without_a_token_of_a_client_nothing_is_allowed_even_on_this_machine(String authorization) {
    Caller caller = auth.caller(authorization);

    assertThat(caller.isKnown()).isFalse();
    assertThat(caller.denial(DECIDE, true).isUnknown()).isTrue();
    assertThat(caller.denial(CHANGE, true).isUnknown()).isTrue();
  }

  @Test
  void without_clients_everybody_decides_and_this_machine_changes_counts() {
    Caller caller = new TokenAuth(Clients.unspecified()).caller(null);

    assertThat(caller.isKnown()).isTrue();
    assertThat(caller.denial(DECIDE, false)).isNull();
    assertThat(caller.denial(CHANGE, true)).isNull();
    assertThat(caller.denial(CHANGE, false))
        .isEqualTo(
            new Caller.Denial(
                false,
                "without clients in stint.yaml, counts must be changed from this machine, and this"
                    + " request came from elsewhere or through a proxy; configure a client with"
                    + " may: [decide, change], or set clients: everybody"));
  }

  @Test
  void everybody_may_do_everything_if_that_was_said() {
    Caller caller = new TokenAuth(Clients.everybody()).caller("Bearer of good news");

    assertThat(caller.denial(DECIDE, false)).isNull();
    assertThat(caller.denial(CHANGE, false)).isNull();
  }

  @Test
  void a_connection_that_has_logged_in_follows_every_reload() {
    TokenAuth.Login login = auth.login(TOKEN);
    assertThat(login.caller().denial(CHANGE, true)).isNotNull();

    auth.reload(Clients.of(Map.of("shop", ClientSettings.changing(Secret.of(TOKEN)))));
    assertThat(login.caller().denial(CHANGE, false)).isNull();

    auth.reload(Clients.of(Map.of("shop", ClientSettings.changing(Secret.of(OTHER)))));
    assertThat(login.caller().isKnown()).isFalse();

    auth.reload(Clients.everybody());
    assertThat(login.caller().denial(CHANGE, false)).isNull();
    assertThat(auth.anonymous().caller().denial(CHANGE, false)).isNull();
  }
}
