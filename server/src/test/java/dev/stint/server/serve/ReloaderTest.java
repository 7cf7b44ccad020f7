package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  private String lastTaken() {
    return taken.get(taken.size() - 1).policies().toString();
  }

  @Test
  void a_changed_file_is_put_in_force() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 6/minute}"); // as long as before, and maybe as old
    reloader.lookNow();
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
    reloader.lookNow();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void a_file_that_was_only_touched_is_left_alone() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 5/minute} # the same");
    reloader.lookNow();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().successes()).isZero();
  }

  @Test
  void a_bad_file_is_refused_once_and_the_next_good_one_is_taken() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    write("stint.yaml", "policies: {a: 5/min");
    reloader.lookNow();
    reloader.lookNow();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().failures()).isEqualTo(1);
    assertThat(reloader.log().trouble().orElseThrow()).startsWith(file + ":1:");
    write("stint.yaml", "policies: {a: 5/minute}"); // back to what is in force
    reloader.lookNow();
    assertThat(reloader.log().trouble()).isEmpty();
    assertThat(reloader.log().successes()).isEqualTo(1);
  }

  @Test
  void a_file_that_goes_away_and_comes_back_is_noticed() throws IOException {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    Files.delete(file);
    reloader.lookNow();
    assertThat(reloader.log().failures()).isEqualTo(1);
    write("stint.yaml", "policies: {a: 7/minute}");
    reloader.lookNow();
    assertThat(lastTaken()).contains("7/minute");
  }

  @Test
  void a_file_that_was_emptied_is_refused_for_it_would_let_everybody_in() throws IOException {
    Path file = write("stint.yaml", "clients: {shop: {token: 0123456789abcdef}}");
    watch(file);
    write("stint.yaml", ""); // as an editor does, a moment before it writes
    reloader.lookNow();
    assertThat(taken).isEmpty();
    assertThat(reloader.log().trouble().orElseThrow())
        .startsWith(file + ": must not become empty or go away");
    write("stint.yaml", "clients: {shop: {token: fedcba9876543210}}");
    reloader.lookNow();
    assertThat(taken).hasSize(1);
    assertThat(reloader.log().trouble()).isEmpty();
  }

  @Test
  void a_file_that_was_empty_from_the_start_may_stay_so() throws IOException {
    Path file = write("stint.yaml", "");
    watch(file);
    write("stint.yaml", "# nothing yet");
    reloader.lookNow();
    assertThat(reloader.log().failures()).isZero();
  }

  @Test
  @Timeout(30)
  void a_pipe_in_the_place_of_the_file_is_refused_and_not_waited_for() throws Exception {
    Path file = write("stint.yaml", "policies: {a: 5/minute}");
    watch(file);
    Files.delete(file);
    assumeThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    reloader.lookNow();
    assertThat(reloader.log().trouble().orElseThrow()).contains("a device or a pipe");
    Files.delete(file);
    write("stint.yaml", "policies: {a: 6/minute}");
    reloader.lookNow();
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
    reloader.lookNow();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void files_of_a_directory_come_change_and_go() throws IOException {
    Path file = write("stint.yaml", "rls: {files: [rules]}");
    write("rules/a.yaml", "domain: a");
    watch(file);
    Path added = write("rules/b.yaml", "domain: b");
    reloader.lookNow();
    assertThat(taken.get(0).rls().domains().keySet()).containsExactly("a", "b");
    write("rules/b.yaml", "domain: c");
    reloader.lookNow();
    assertThat(taken.get(1).rls().domains().keySet()).containsExactly("a", "c");
    Files.delete(added);
    reloader.lookNow();
    assertThat(taken.get(2).rls().domains().keySet()).containsExactly("a");
    assertThat(reloader.log().failures()).isZero();
  }

  @Test
  void changed_certificates_are_read_again_without_a_reload() throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    watch(write("stint.yaml", "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}"));
    int before = certificates.reloads;
    reloader.lookNow();
    assertThat(certificates.reloads).isEqualTo(before);
    write("c.pem", "-----BEGIN CERTIFICATE----- another");
    reloader.lookNow();
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
    reloader.lookNow();
    assertThat(taken).isEmpty();
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    reloader.lookNow();
    assertThat(lastTaken()).contains("6/minute");
  }

  @Test
  void certificates_that_cannot_be_used_are_told() throws IOException {
    write("c.pem", "-----BEGIN CERTIFICATE-----");
    write("k.pem", "-----BEGIN PRIVATE KEY-----");
    watch(write("stint.yaml", "listeners: {http: {tls: {certificate: c.pem, key: k.pem}}}"));
    certificates.broken = true;
    write("k.pem", "-----BEGIN PRIVATE KEY----- another");
    reloader.lookNow();
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
    reloader.lookNow();
    write("c.pem", "-----BEGIN CERTIFICATE----- another");
    reloader.lookNow();
    assertThat(reloader.log().trouble().orElseThrow()).contains("'minit'");

    certificates.broken = true;
    write("k.pem", "-----BEGIN PRIVATE KEY----- another");
    write("stint.yaml", good);
    reloader.lookNow();
    assertThat(reloader.log().trouble().orElseThrow()).contains("no such algorithm");

    certificates.broken = false;
    write("k.pem", "-----BEGIN PRIVATE KEY----- a third");
    reloader.lookNow();
    assertThat(reloader.log().trouble()).isEmpty();
  }
}
