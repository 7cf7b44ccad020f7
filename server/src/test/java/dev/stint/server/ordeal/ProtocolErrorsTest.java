package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.serve.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are wrong in form get an answer, and leave nothing in the log. */
class ProtocolErrorsTest {

  @TempDir static Path folder;

  private static Journal journal;
  private static Service service;

  @BeforeAll
  static void start() {
    journal = Journal.open(Level.INFO);
    service = Service.start(Setup.wide(folder));
  }

  @AfterAll
  static void nothing_was_logged() {
    service.close();
    journal.close();
    assertThat(journal.lines()).noneMatch(line -> line.contains("Exception"));
    assertThat(journal.lines()).noneMatch(line -> line.startsWith("SEVERE"));
  }

  private static Map<String, Integer> ports() {
    return new TreeMap<>(
        Map.of(
            "http", service.httpPort(), "grpc", service.grpcPort(), "admin", service.adminPort()));
  }

  // ---- heads -----------------------------------------------------------------------------------

  @Test
  void every_port_answers_odd_heads_of_http_1() throws IOException {
    List<String> heads =
        List.of(
            "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "CONNECT / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: :::::\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost:99999999\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: [::\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: \r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET ? HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /%zz?a=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for (Map.Entry<String, Integer> port : ports().entrySet()) {
      for (String head : heads) {
        assertThat(firstLine(port.getValue(), head))
            .as(port.getKey() + " " + head)
            .matches("HTTP/1.1 (200 OK|4\\d\\d .*)");
      }
    }
  }

  private static String firstLine(int port, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder line = new StringBuilder();
      for (int next = socket.getInputStream().read(); next >= 0 && next != '\r'; ) {
        line.append((char) next);
        next = socket.getInputStream().read();
      }
      return line.toString();
    }
  }

  @Test
  void every_port_answers_odd_heads_of_http_2() throws IOException {
    List<String[]> heads =
        List.of(
            new String[] {":method", "CONNECT", ":authority", "localhost"},
            new String[] {":method", "CONNECT", ":authority", "a:1", "content-type", GRPC},
            post("/x/y", ":authority", ":::"),
            post("/x/y", ":authority", "a b"),
            post("/x/y", "host", "[["),
            post("/x/y", ":authority", "a", "host", "b"),
            post("/x/y"),
            post("*", ":authority", "localhost"),
            post("xyz", ":authority", "localhost"),
            post("/no/such%zz?a=b", ":authority", "localhost"),
            post("", ":authority", "localhost"),
            new String[] {":scheme", "http"},
            new String[] {":method", "", ":scheme", "http", ":path", "/", ":authority", "a"});
    for (Map.Entry<String, Integer> port : ports().entrySet()) {
      for (String[] head : heads) {
        try (RawHttp2 raw = RawHttp2.connect(port.getValue())) {
          raw.send(RawHttp2.head(1, true, head));
          RawHttp2.Reply reply = raw.reply(1); // an answer, or a reset of this stream
          assertThat(reply.reset >= 0 || reply.fields.containsKey(":status"))
              .as(port.getKey() + " " + String.join(" ", head) + " " + reply)
              .isTrue();
        }
      }
    }
  }

  private static final String GRPC = "application/grpc";

  private static String[] post(String path, String... more) {
    String[] usual = {":method", "POST", ":scheme", "http", ":path", path, "content-type", GRPC};
    String[] all = new String[usual.length + more.length];
    System.arraycopy(usual, 0, all, 0, 6);
    System.arraycopy(more, 0, all, 6, more.length);
    System.arraycopy(usual, 6, all, 6 + more.length, 2);
    return all;
  }

  @Test
  void a_request_that_is_no_call_is_told_so_by_its_http_status() throws IOException {
    assertThat(status(":method", "GET", "content-type", GRPC)).isEqualTo("405");
    assertThat(status(":method", "POST", "content-type", "application/grpc+json")).isEqualTo("415");
    assertThat(status(":method", "POST", "content-type", "application/grpc-web")).isEqualTo("415");
    assertThat(status(":method", "POST", "content-type", "application/json")).isEqualTo("415");
  }

  private static String status(String... differing) throws IOException {
    try (RawHttp2 raw = RawHttp2.connect(service.grpcPort())) {
      raw.send(
          RawHttp2.head(
              1,
              true,
              differing[0],
              differing[1],
              ":scheme",
              "http",
              ":path",
              RawHttp2.CALL,
              ":authority",
              "localhost",
              differing[2],
              differing[3]));
      return raw.reply(1).fields.get(":status");
    }
  }

  // ---- messages --------------------------------------------------------------------------------

  private static final String CHECK = "/grpc.health.v1.Health/Check";
  private static final String WATCH = "/grpc.health.v1.Health/Watch";
  private static final String REFLECTION =
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

  private static RawHttp2.Reply reply(String path, String... body) throws IOException {
    try (RawHttp2 raw = RawHttp2.connect(service.grpcPort())) {
      raw.send(RawHttp2.call(1, body.length == 0, path));
      for (int i = 0; i < body.length; i++) {
        byte[] bytes = body[i].getBytes(StandardCharsets.ISO_8859_1);
        raw.send(RawHttp2.data(1, i == body.length - 1, bytes));
      }
      return raw.reply(1);
    }
  }

  @Test
  void a_call_without_a_message_ends_with_a_status() throws IOException {
    for (String path : List.of(RawHttp2.CALL, CHECK, WATCH)) {
      assertThat(reply(path).status()).isEqualTo("3 a call must have a message, had none");
      assertThat(reply(path, "").status()).isEqualTo("3 a call must have a message, had none");
    }
    assertThat(reply(REFLECTION).status()).isEqualTo("0");
    assertThat(reply(REFLECTION, "").status()).isEqualTo("0");
  }

  @Test
  void a_call_with_half_a_message_ends_with_a_status() throws IOException {
    for (String path : List.of(RawHttp2.CALL, CHECK, WATCH, REFLECTION)) {
      for (String half : List.of("\0", "\0\0\0\0", "\0\0\0\0\5ab")) {
        assertThat(reply(path, half).status())
            .isEqualTo("3 a message must be complete, the last one was not");
      }
    }
  }

  @Test
  void only_the_first_byte_0_is_taken_and_the_refusal_says_why() throws IOException {
    for (String path : List.of(RawHttp2.CALL, CHECK, WATCH, REFLECTION)) {
      assertThat(reply(path, "\1\0\0\0\0").status())
          .isEqualTo("12 a message must not be compressed");
      assertThat(reply(path, "\2\0\0\0\0").status())
          .isEqualTo("3 a message must begin with the byte 0, for not compressed: 2");
      assertThat(reply(path, "\u00ff", "\0\0\0\0").status())
          .isEqualTo("3 a message must begin with the byte 0, for not compressed: 255");
    }
  }

  @Test
  void a_bad_message_after_a_good_one_ends_the_call_once() throws IOException {
    RawHttp2.Reply listed = reply(REFLECTION, "\0\0\0\0\2", "\72\0", "\7\0\0\0\0");
    assertThat(listed.status())
        .isEqualTo("3 a message must begin with the byte 0, for not compressed: 7");
    assertThat(listed.data.size()).isPositive();
    assertThat(reply(CHECK, "\0\0\0\0\0", "\7\0\0\0\0").status()).isEqualTo("0");
  }

  @Test
  void a_message_that_is_not_protobuf_ends_the_call_once() throws IOException {
    String noProtobuf = "\0\0\0\0\3\u00ff\u00ff\u00ff";
    for (String path : List.of(RawHttp2.CALL, CHECK, WATCH, REFLECTION)) {
      assertThat(reply(path, noProtobuf, "\1\0\0\0\0").status())
          .as(path)
          .isEqualTo("3 a message must be protobuf");
      for (String next : List.of("", noProtobuf, "\0\0\0\0\2\72\0")) {
        assertThat(reply(path, noProtobuf, next).status())
            .as(path)
            .isEqualTo("3 a message must be protobuf");
        assertThat(reply(path, noProtobuf + next).status())
            .as(path)
            .isEqualTo("3 a message must be protobuf");
      }
    }
  }

  @Test
  void an_unknown_method_is_unimplemented() throws IOException {
    assertThat(reply("/no.such/Method", "\0\0\0\0\0").status())
        .isEqualTo("12 there is no such method; server reflection lists those that there are");
  }

  @Test
  void compression_is_not_offered() throws IOException {
    assertThat(reply(CHECK, "\0\0\0\0\0").fields)
        .containsEntry("grpc-status", "0")
        .doesNotContainKey("grpc-accept-encoding");
    assertThat(reply(CHECK).fields).doesNotContainKey("grpc-accept-encoding");
  }

  @Test
  void messages_of_statuses_are_encoded_only_where_they_must_be() throws IOException {
    RawHttp2.Reply reply =
        reply(
            RawHttp2.CALL,
            new String(RawHttp2.message(0, new byte[0]), StandardCharsets.ISO_8859_1));
    assertThat(reply.fields)
        .containsEntry(
            "grpc-message", "domain must not be empty: name a domain of the configuration");
  }
}
