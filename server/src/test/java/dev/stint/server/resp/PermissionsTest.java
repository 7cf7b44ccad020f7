package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Permission;
import dev.stint.server.config.Secret;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Deciding and changing in Redis' protocol, with tokens and without. */
class PermissionsTest {

  private static final String DECISIONS =
      "STINT.HIT api k\r\nSTINT.PEEK api k\r\nCL.THROTTLE k 1 1 1\r\n";

  private static Clients clients() {
    return Clients.of(
        Map.of(
            "shop",
            ClientSettings.deciding(Secret.of("sesame")),
            "billing",
            new ClientSettings(Secret.of("barley"), Set.of(Permission.CHANGE))));
  }

  @Test
  void a_token_that_may_decide_changes_nothing() {
    try (Bench bench = new Bench(clients(), true)) {
      assertThat(bench.ask("AUTH sesame\r\n")).isEqualTo("+OK\r\n");
      assertThat(bench.ask(DECISIONS)).doesNotContain("-NOPERM");
      assertThat(bench.ask("STINT.RESET api k\r\n"))
          .isEqualTo(
              "-NOPERM client 'shop' must be allowed to change counts, and is not; add change to"
                  + " clients.shop.may in stint.yaml\r\n");
      assertThat(bench.ask("STINT.PEEK api k\r\n")).startsWith("*6\r\n:1\r\n:3\r\n:2\r\n");
    }
  }

  @Test
  void a_token_that_may_change_decides_nothing() {
    try (Bench bench = new Bench(clients(), true)) {
      assertThat(bench.ask("AUTH barley\r\n")).isEqualTo("+OK\r\n");
      assertThat(bench.ask("STINT.RESET api k\r\n")).isEqualTo("+OK\r\n");
      assertThat(bench.ask(DECISIONS).lines())
          .hasSize(3)
          .allMatch(line -> line.startsWith("-NOPERM client 'billing' must be allowed to ask"));
    }
  }

  @Test
  void without_clients_only_this_machine_changes_counts() {
    try (Bench here = new Bench(Clients.unspecified(), true);
        Bench elsewhere = new Bench(Clients.unspecified(), false);
        Bench open = new Bench(Clients.everybody(), false)) {
      assertThat(here.ask("STINT.RESET api k\r\n")).isEqualTo("+OK\r\n");
      assertThat(open.ask("STINT.RESET api k\r\n")).isEqualTo("+OK\r\n");
      assertThat(elsewhere.ask(DECISIONS)).doesNotContain("-NOPERM");
      assertThat(elsewhere.ask("STINT.RESET api k\r\n"))
          .startsWith("-NOPERM without clients in stint.yaml, counts must be changed from this")
          .contains("clients: everybody");
    }
  }
}
