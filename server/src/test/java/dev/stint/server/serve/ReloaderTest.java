package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReloaderTest {

  @TempDir private Path directory;

  @BeforeAll
  static void expectMistakes() {
    QuietLog.ofReloads();
  }

  private final List<Configuration> taken = new CopyOnWriteArrayList<>();
  private final Certificates certificates = new Certificates();
  private Reloader reloader;

  private final class Certificates implements Reloader.Target {
    int reloads;
    boolean broken;

    @Override
    public void reload(Configuration configuration) {
      taken.add(configuration);
    }

    @Override
    public void reloadCertificates() {
      reloads++;
      if (broken) {
        throw new IllegalStateException("no such algorithm");
      }
    }
  }

  private void watch(Path path) {
    Reading first = ConfigFile.read(path, Map.of());
    assertThat(first.mistakes()).isEmpty();
    reloader = new Reloader(first, () -> ConfigFile.read(path, Map.of()), certificates);
    reloader.lookNow();
    reloader.lookNow();
    assertThat(taken).isEmpty();
  }

  @AfterEach
  void stop() {
    reloader.close();
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** A change is taken when two looks in a row saw the same. */
  private void settle() {
    reloader.lookNow();
    reloader.lookNow();
  }

  private String lastTaken() {
    return taken.get(taken.size() - 1).policies().toString();
  }

  @Test
  void a_changed_file_is_put_in_force() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 6/minute}"); // as long as before, and maybe as old
    settle();
    assertThat(taken).hasSize(1);
    assertThat(lastTaken()).contains("6/minute");
    assertThat(reloader.log().successes()).isEqualTo(1);
  }

  @Test
  void it_looks_by_itself() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    reloader.every(Duration.ofMillis(5));
    write("stint.yaml", "policies: {a: 6/minute}");
    await().untilAsserted(() -> assertThat(lastTaken()).contains("6/minute"));
  }

  @Test
  void a_file_that_was_changed_before_the_first_look_is_not_missed() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    Reading first = ConfigFile.read(file, Map.of());
    write("stint.yaml", "policies: {a: 6/minute}");
    reloader = new Reloader(first, () -> ConfigFile.read(file, Map.of()), certificates);
    settle();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void a_file_that_was_only_touched_is_left_alone() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 5/minute} # the same");
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().successes()).isZero();
  }

  @Test
  void a_bad_file_is_refused_once_and_the_next_good_one_is_taken() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 5/min");
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().failures()).isEqualTo(1);
    assertThat(reloader.log().trouble().orElseThrow()).startsWith(file + ":1:");
    write("stint.yaml", "policies: {a: 5/minute}"); // back to what is in force
    settle();
    assertThat(reloader.log().trouble()).isEmpty();
    assertThat(reloader.log().successes()).isEqualTo(1);
  }

  @Test
  void a_file_that_goes_away_and_comes_back_is_noticed() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    Files.delete(file);
    settle();
    assertThat(reloader.log().failures()).isEqualTo(1);
    write("stint.yaml", "policies: {a: 7/minute}");
    settle();
    assertThat(lastTaken()).contains("7/minute");
  }

  @Test
  void a_file_that_was_emptied_is_refused_for_it_would_let_everybody_in() throws IOException {
    Path file = write("stint.yaml", "clients: {shop: {token: 0123456789abcdef}}");
    watch(file);
    write("stint.yaml", ""); // as an editor does, a moment before it writes
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().trouble().orElseThrow())
        .startsWith(file + ": must not become empty or go away");
    write("stint.yaml", "clients: {shop: {token: fedcba9876543210}}");
    settle();
    assertThat(taken).hasSize(1);
    assertThat(reloader.log().trouble()).isEmpty();
  }

  @Test
  void a_file_that_was_empty_from_the_start_may_stay_so() throws IOException {
    Path file = write("stint.yaml", "");
    watch(file);
    write("stint.yaml", "# nothing yet");
    settle();
    assertThat(reloader.log().failures()).isZero();
  }

  @Test
  @Timeout(30)
  void a_pipe_in_the_place_of_the_file_is_refused_and_not_waited_for() throws Exception {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    Files.delete(file);
    assumeThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    settle();
    assertThat(reloader.log().trouble().orElseThrow()).contains("a device or a pipe");
    Files.delete(file);
    write("stint.yaml", "policies: {a: 6/minute}");
    settle();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void a_config_map_is_swapped_by_its_link() throws IOException {
    write("..1/stint.yaml", "policies: {a: 5/minute}");
    write("..2/stint.yaml", "policies: {a: 6/minute}");
    Files.createSymbolicLink(directory.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(directory.resolve("stint.yaml"), Path.of("..data/stint.yaml"));
    watch(directory);
    Path next = Files.createSymbolicLink(directory.resolve("..tmp"), Path.of("..2"));
    Files.move(next, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    settle();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void files_of_a_directory_come_change_and_go() throws IOException {
    Path file = write("stint.yaml", "rls: {files: [rules]}");
    write("rules/a.yaml", "domain: a");
    watch(file);
    Path added = write("rules/b.yaml", "domain: b");
    settle();
    assertThat(taken.get(0).rls().domains().keySet()).containsExactly("a", "b");
    write("rules/b.yaml", "domain: c");
    settle();
    assertThat(taken.get(1).rls().domains().keySet()).containsExactly("a", "c");
    Files.delete(added);
    settle();
    assertThat(taken.get(2).rls().domains().keySet()).containsExactly("a");
    assertThat(reloader.log().failures()).isZero();
  }

  @Test
  void changed_certificates_are_read_again_without_a_reload() throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    watch(write("stint.yaml", "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}"));
    int before = certificates.reloads;
    settle();
    assertThat(certificates.reloads).isEqualTo(before);
    write("c.pem", "-----BEGIN CERTIFICATE----- another");
    settle();
    assertThat(certificates.reloads).isEqualTo(before + 1);
    assertThat(taken).isEmpty();
  }

  @Test
  void a_file_that_was_refused_for_want_of_a_certificate_is_taken_when_that_is_there()
      throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    Path key = write("k.pem", "-----BEGIN PRIVATE KEY-----");
    String listeners = "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}";
    watch(write("stint.yaml", listeners));
    Files.delete(key);
    write("stint.yaml", listeners + "\npolicies: {a: 6/minute}");
    settle();
    assertThat(taken).isEmpty();
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    settle();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void certificates_that_cannot_be_used_are_told() throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    watch(write("stint.yaml", "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}"));
    certificates.broken = true;
    write("k.pem", "-----BEGIN PRIVATE KEY----- another");
    settle();
    assertThat(reloader.log().trouble())
        .contains(
            "the certificates were not reloaded, the old ones stay in force: no such algorithm");
  }

  @Test
  void certificates_do_not_make_up_for_a_bad_file_nor_a_file_for_bad_certificates()
      throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    String good = "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}";
    watch(write("stint.yaml", good));
    write("stint.yaml", "policies: {a: 5/minit}");
    settle();
    write("c.pem", "-----BEGIN CERTIFICATE----- another");
    settle();
    assertThat(reloader.log().trouble().orElseThrow()).contains("'minit'");

    certificates.broken = true;
    write("k.pem", "-----BEGIN PRIVATE KEY----- another");
    write("stint.yaml", good);
    settle();
    assertThat(reloader.log().trouble().orElseThrow()).contains("no such algorithm");

    certificates.broken = false;
    write("k.pem", "-----BEGIN PRIVATE KEY----- a third");
    settle();
    assertThat(reloader.log().trouble()).isEmpty();
  }

  // ---- files that are still being written

  @Test
  void a_change_is_taken_at_the_second_look_that_sees_it() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 6/minute}");
    reloader.lookNow();
    assertThat(taken).isEmpty();
    reloader.lookNow();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void a_file_that_grows_from_look_to_look_is_left_alone_until_it_is_complete() throws IOException {
    Path file = write("stint.yaml", "policies:\n  a: 5/minute\n");
    watch(file);
    StringBuilder text = new StringBuilder("policies:\n");
    for (int i = 0; i < 10; i++) { // each of them is a valid file
      text.append("  p").append(i).append(": 5/minute\n");
      write("stint.yaml", text.toString());
      reloader.lookNow();
      assertThat(taken).isEmpty();
    }
    reloader.lookNow();
    assertThat(taken.get(0).policies()).hasSize(10);
  }

  @Test
  void a_half_written_file_with_mistakes_is_not_even_refused() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 6/min");
    reloader.lookNow();
    write("stint.yaml", "policies: {a: 6/minute}");
    settle();
    assertThat(lastTaken()).contains("6/minute");
    assertThat(reloader.log().failures()).isZero();
  }

  @Test
  void a_file_that_is_named_for_the_first_time_must_be_complete_too() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("web.yaml", "domain: web");
    write("stint.yaml", "policies: {a: 5/minute}\nrls: {files: [web.yaml]}");
    reloader.lookNow();
    write("web.yaml", "domain: web\ndescriptors: [{key: path}]"); // it was not complete
    reloader.lookNow();
    assertThat(taken).isEmpty();
    reloader.lookNow();
    assertThat(taken.get(0).rls().domains().get("web")).hasSize(1);
  }

  @Test
  void a_file_that_is_replaced_by_one_of_the_same_size_and_time_is_noticed() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    FileTime old = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(file, old);
    watch(file);
    Path next = write("next.yaml", "policies: {a: 6/minute}");
    Files.setLastModifiedTime(next, old);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    settle();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void a_file_that_never_rests_is_told() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    for (int i = 0; i < 40; i++) {
      write("stint.yaml", "policies: {a: " + (i + 10) + "/minute}");
      reloader.lookNow();
    }
    assertThat(taken).isEmpty();
    assertThat(reloader.log().failures()).isEqualTo(1);
    assertThat(reloader.log().trouble().orElseThrow())
        .startsWith("the files of the configuration must be the same at two looks in a row");
    reloader.lookNow();
    assertThat(lastTaken()).contains("49/minute");
    assertThat(reloader.log().trouble()).isEmpty();
  }

  @Test
  void a_rotated_token_file_is_taken_when_it_is_complete() throws IOException {
    write("shop.token", "0123456789abcdef");
    watch(write("stint.yaml", "clients: {shop: {token-file: shop.token}}"));
    write("shop.token", "fedcba98765432100"); // long enough already
    reloader.lookNow();
    write("shop.token", "fedcba9876543210012345");
    reloader.lookNow();
    assertThat(taken).isEmpty();
    reloader.lookNow();
    assertThat(taken.get(0).clients().byName().get("shop").token())
        .isEqualTo(Secret.of("fedcba9876543210012345"));
  }

  // ---- removals

  @Test
  void clients_go_away_only_if_the_file_says_everybody() throws IOException {
    String clients = "clients: {shop: {token: 0123456789abcdef}}\n";
    Path file = write("stint.yaml", clients + "policies: {a: 5/minute}\n");
    watch(file);
    write("stint.yaml", "policies: {a: 5/minute}\n");
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().trouble())
        .contains(
            file
                + ": must have clients, because the service runs with clients; to let everybody in"
                + " without a token, write clients: everybody");
    write("stint.yaml", "policies: {a: 5/minute}\nclients: everybody\n");
    settle();
    assertThat(taken).hasSize(1);
    assertThat(taken.get(0).clients().isEverybody()).isTrue();
    assertThat(reloader.log().trouble()).isEmpty();
  }

  @Test
  void all_policies_go_away_only_if_the_file_says_none() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}\nbounds: {batch: 10}\n");
    watch(file);
    write("stint.yaml", "bounds: {batch: 10}\n");
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().trouble())
        .contains(
            file
                + ": must have policies, because the service runs with policies; to remove all of"
                + " them, write policies: none");
    write("stint.yaml", "bounds: {batch: 10}\npolicies: none\n");
    settle();
    assertThat(taken).hasSize(1);
    assertThat(taken.get(0).policies()).isEmpty();
  }

  @Test
  void all_domains_go_away_only_if_the_file_says_so() throws IOException {
    Path file = write("stint.yaml", "rls: {domains: [{domain: web}]}");
    watch(file);
    write("stint.yaml", "rls: {deadline: 12ms}");
    settle();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().trouble().orElseThrow())
        .isEqualTo(
            file
                + ": must have domains, because the service runs with domains; to remove all of"
                + " them, write rls: {domains: []}");
    write("stint.yaml", "rls: {domains: []}");
    settle();
    assertThat(taken.get(0).rls().domains()).isEmpty();
  }

  @Test
  void policies_may_be_exchanged_for_others() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write(
        "stint.yaml",
        "rate-limiter: {use-algo: fixed-window-algo, window-size: 60, max-requests: 5}");
    settle();
    write("stint.yaml", "policies: {b: 5/minute}");
    settle();
    assertThat(taken).hasSize(2);
  }

  // ---- restarts

  @Test
  void what_needs_a_restart_is_not_current() throws IOException {
    Path file = write("stint.yaml", "bounds: {batch: 10}");
    watch(file);
    assertThat(reloader.log().isCurrent()).isTrue();
    write("stint.yaml", "bounds: {batch: 20}");
    settle();
    assertThat(reloader.log().successes()).isEqualTo(1);
    assertThat(reloader.log().isRestartNeeded()).isTrue();
    assertThat(reloader.log().isCurrent()).isFalse();
    write("stint.yaml", "bounds: {batch: 10}");
    settle();
    assertThat(reloader.log().isRestartNeeded()).isFalse();
    assertThat(reloader.log().isCurrent()).isTrue();
  }

  @Test
  void another_token_of_the_administration_needs_no_restart_but_none_does() throws IOException {
    Path file = write("stint.yaml", "listeners: {admin: {token: 0123456789abcdef}}");
    watch(file);
    write("stint.yaml", "listeners: {admin: {token: fedcba9876543210}}");
    settle();
    assertThat(reloader.log().isRestartNeeded()).isFalse();
    write("stint.yaml", "listeners: {admin: {port: 9090}}");
    settle();
    assertThat(reloader.log().isRestartNeeded()).isTrue();
  }
}
