package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.server.config.Tls;
import dev.stint.server.net.TlsFiles;
import dev.stint.server.serve.Check;
import dev.stint.server.serve.Serve;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Which certificates and keys are refused, and in which words. */
class TlsFilesTest {

  @TempDir Path folder;

  private Path certificate;
  private Path key;
  private Certificates server;
  private Certificates other;

  @BeforeEach
  void make() throws Exception {
    certificate = folder.resolve("server.pem");
    key = folder.resolve("server-key.pem");
    server = Certificates.make(folder, "server");
    other = Certificates.make(folder, "other");
    server.write(certificate, key);
  }

  private TlsFiles read(@Nullable Path clientCa) {
    return TlsFiles.read(new Tls(certificate, key, clientCa));
  }

  private void assertRefused(String sentence) {
    assertThatThrownBy(() -> read(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }

  private String notAPair() {
    return String.format(
        "'%s' must be the private key of the certificate in '%s', and it is not; write the files of"
            + " one pair",
        key, certificate);
  }

  @Test
  void a_pair_is_taken_of_either_algorithm() throws Exception {
    assertThat(read(certificate).warnings(Instant.now())).isEmpty();
    Certificates.make(folder, "rsa", "RSA").write(certificate, key);
    assertThat(read(null).warnings(Instant.now())).isEmpty();
  }

  @Test
  void a_key_of_another_certificate_is_refused() throws Exception {
    other.write(folder.resolve("unused.pem"), key);
    assertRefused(notAPair());
    Certificates.make(folder, "rsa", "RSA").write(folder.resolve("unused.pem"), key);
    assertRefused(notAPair());
  }

  @Test
  void certificates_that_are_no_chain_are_refused() throws Exception {
    Files.writeString(certificate, other.pem() + server.pem());
    assertRefused(
        "'"
            + certificate
            + "' must hold the server's certificate first, then each one that signed the one before"
            + " it, and does not; put them in this order");
  }

  @Test
  void an_encrypted_key_is_refused_with_the_command_to_decrypt_it() throws IOException {
    Files.writeString(
        key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    assertRefused(
        "'"
            + key
            + "' must hold a private key without a password, and it is encrypted; decrypt it with:"
            + " openssl pkey -in FILE -out FILE");
  }

  @Test
  void files_that_hold_something_else_are_refused() throws IOException {
    Path garbage =
        Files.writeString(
            folder.resolve("garbage.pem"),
            """
            -----BEGIN CERTIFICATE-----
            AAAA
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            AAAA
            -----END PRIVATE KEY-----
            """);
    assertThatThrownBy(() -> read(garbage))
        .hasMessage(
            "'" + garbage + "' must hold a certificate in PEM, and it cannot be read as one");
    assertThatThrownBy(() -> TlsFiles.read(new Tls(certificate, garbage, null)))
        .hasMessage(
            "'"
                + garbage
                + "' must hold a private key in PEM, of RSA or EC, and it cannot be read as one");
    assertThatThrownBy(() -> read(folder.resolve("missing.pem")))
        .hasMessageStartingWith("'" + folder.resolve("missing.pem") + "' must be a file that");
  }

  @Test
  void a_certificate_out_of_its_time_is_warned_of() throws Exception {
    Certificates.make(folder, "old", "EC", "-startdate", "-10d", "-validity", "5")
        .write(certificate, key);
    assertThat(read(null).warnings(Instant.now()).get(0))
        .startsWith("the certificate in '" + certificate + "' expired at 20");
    assertThat(read(null).warnings(Instant.EPOCH).get(0))
        .startsWith("the certificate in '" + certificate + "' is not valid before 20");
    assertThat(run(new Check(Map.of(), folder), file()))
        .startsWith("0 " + file() + ": the certificate in '" + certificate + "' expired at 20");
  }

  private Path file() throws IOException {
    return Files.writeString(
        folder.resolve("stint.yaml"),
        "listeners: {http: {tls: {certificate: server.pem, key: server-key.pem}}}");
  }

  private static String run(Callable<Integer> command, Path... args) {
    StringWriter err = new StringWriter();
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    int code =
        new CommandLine(command)
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err))
            .execute(texts);
    return code + " " + err;
  }

  @Test
  void check_and_serve_refuse_what_is_no_pair_in_one_sentence() throws Exception {
    other.write(folder.resolve("unused.pem"), key);
    String told = "1 " + file() + ": listeners.http.tls: " + notAPair() + System.lineSeparator();
    assertThat(run(new Check(Map.of(), folder), file())).isEqualTo(told);
    assertThat(run(new Serve(Map.of(), folder))).isEqualTo(told);
  }
}
