package dev.stint.server.ordeal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Reading;
import dev.stint.server.serve.Reloader;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encryption on every wire: who may come in, and how certificates are changed. */
class EncryptionTest {

  @TempDir Path folder;

  private Path certificate;
  private Path key;
  private Path signers;
  private Certificates server;
  private Certificates client;

  @BeforeEach
  void make() throws Exception {
    certificate = folder.resolve("server.pem");
    key = folder.resolve("server-key.pem");
    signers = folder.resolve("clients.pem");
    server = Certificates.make(folder, "server");
    client = Certificates.make(folder, "client");
    server.write(certificate, key);
    client.write(signers, folder.resolve("client-key.pem"));
  }

  private Reading read(boolean mutual) throws IOException {
    String tls =
        "{address: 127.0.0.1, port: 0, tls: {certificate: server.pem, key: server-key.pem"
            + (mutual ? ", client-ca: clients.pem" : "")
            + "}}";
    Path file = folder.resolve("stint.yaml");
    Files.writeString(file, Setup.WIDE.replace("\"127.0.0.1:0\"", tls));
    Reading reading = ConfigFile.read(file, Map.of());
    assertThat(reading.mistakes()).isEmpty();
    return reading;
  }

  private static Map<String, Integer> ports(Service service) {
    return Map.of(
        "http", service.httpPort(),
        "grpc", service.grpcPort(),
        "resp", service.respPort(),
        "admin", service.adminPort());
  }

  private static SSLSocket connect(SSLContext context, String wire, int port) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    if (wire.equals("grpc")) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      socket.getOutputStream().write(H2.hello());
    }
    return socket;
  }

  /** Whether it is answered on this connection. */
  private static void assertAnswers(SSLSocket socket, String wire) throws IOException {
    switch (wire) {
      case "grpc" -> {
        socket.getOutputStream().write(H2.ping());
        assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
      }
      case "resp" -> {
        socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(7), US_ASCII))
            .isEqualTo("+PONG\r\n");
      }
      default -> {
        String path = wire.equals("http") ? "/check?policy=api&userId=a" : "/ready";
        socket
            .getOutputStream()
            .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
        byte[] buffer = new byte[4096];
        int length = socket.getInputStream().read(buffer);
        assertThat(new String(buffer, 0, Math.max(0, length), US_ASCII)).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void every_wire_is_encrypted() throws Exception {
    try (Service service = Service.start(read(false).configuration())) {
      SSLContext trusting = Certificates.client(List.of(), List.of(server));
      SSLContext doubting = Certificates.client(List.of(), List.of(client));
      for (Map.Entry<String, Integer> wire : ports(service).entrySet()) {
        try (SSLSocket socket = connect(trusting, wire.getKey(), wire.getValue())) {
          assertAnswers(socket, wire.getKey());
        }
        assertThatThrownBy(() -> ask(doubting, wire)).isInstanceOf(IOException.class);
      }
      try (Http plain = Http.connect(service.httpPort())) {
        assertThatThrownBy(() -> plain.hit("api", "a")).isInstanceOf(IOException.class);
      }
    }
  }

  private static void ask(SSLContext context, Map.Entry<String, Integer> wire) throws IOException {
    try (SSLSocket socket = connect(context, wire.getKey(), wire.getValue())) {
      assertAnswers(socket, wire.getKey());
    } catch (AssertionError e) {
      throw new IOException("closed without an answer", e);
    }
  }

  @Test
  void who_has_no_certificate_is_refused_where_one_is_asked_for() throws Exception {
    Certificates stranger = Certificates.make(folder, "stranger");
    try (Service service = Service.start(read(true).configuration())) {
      SSLContext known = Certificates.client(List.of(client), List.of(server));
      SSLContext nobody = Certificates.client(List.of(), List.of(server));
      SSLContext unknown = Certificates.client(List.of(stranger), List.of(server));
      for (Map.Entry<String, Integer> wire : ports(service).entrySet()) {
        ask(known, wire);
        assertThatThrownBy(() -> ask(nobody, wire))
            .as(wire.getKey())
            .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ask(unknown, wire))
            .as(wire.getKey())
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void a_new_certificate_is_shown_to_the_next_and_a_broken_one_to_nobody() throws Exception {
    Certificates next = Certificates.make(folder, "next");
    Reading reading = read(false);
    List<Certificates> both = List.of(server, next);
    SSLContext client = Certificates.client(List.of(), both);
    try (Service service = Service.start(reading.configuration());
        Reloader reloader =
            new Reloader(
                reading, () -> ConfigFile.read(folder.resolve("stint.yaml"), Map.of()), service)) {
      lookTwice(reloader);
      for (Map.Entry<String, Integer> wire : ports(service).entrySet()) {
        try (SSLSocket open = connect(client, wire.getKey(), wire.getValue())) {
          assertAnswers(open, wire.getKey());
          assertThat(shown(both, wire)).isEqualTo(server.certificate());

          next.write(certificate, key);
          lookTwice(reloader);
          assertThat(shown(both, wire)).as(wire.getKey()).isEqualTo(next.certificate());
          assertAnswers(open, wire.getKey());

          Files.writeString(
              certificate, "-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n");
          long failures = reloader.log().failures();
          lookTwice(reloader);
          assertThat(reloader.log().failures()).isEqualTo(failures + 1);
          assertThat(reloader.log().trouble().orElse("")).contains("old ones stay in force");
          assertThat(shown(both, wire)).as(wire.getKey()).isEqualTo(next.certificate());
          assertAnswers(open, wire.getKey());

          server.write(folder.resolve("unused.pem"), key); // the key, and not yet the certificate
          next.write(certificate, folder.resolve("unused.pem"));
          lookTwice(reloader);
          assertThat(reloader.log().failures()).isEqualTo(failures + 2);
          assertThat(reloader.log().isCurrent()).isFalse();
          assertThat(reloader.log().trouble().orElse("")).contains("write the files of one pair");
          assertThat(shown(both, wire)).as(wire.getKey()).isEqualTo(next.certificate());

          server.write(certificate, key);
          lookTwice(reloader);
          assertThat(reloader.log().isCurrent()).isTrue();
          assertThat(shown(both, wire)).as(wire.getKey()).isEqualTo(server.certificate());
        }
      }
    }
  }

  /** A change is taken when two looks in a row saw the same. */
  private static void lookTwice(Reloader reloader) {
    reloader.lookNow();
    reloader.lookNow();
  }

  /** What a client is shown that comes for the first time, with no session to resume. */
  private static Certificate shown(List<Certificates> trusted, Map.Entry<String, Integer> wire)
      throws Exception {
    SSLContext context = Certificates.client(List.of(), trusted);
    try (SSLSocket socket = connect(context, wire.getKey(), wire.getValue())) {
      assertAnswers(socket, wire.getKey());
      return socket.getSession().getPeerCertificates()[0];
    }
  }
}
