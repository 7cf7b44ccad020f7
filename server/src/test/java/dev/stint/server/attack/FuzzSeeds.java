package dev.stint.server.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** Valid exchanges of each wire, which are then spoiled. */
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF, which text blocks hide
final class FuzzSeeds {

  private static final String ENVOY =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private FuzzSeeds() {}

  /** Several requests of HTTP/1.1, each by itself. */
  static List<byte[]> http() {
    return List.of(
        text("GET /check?userId=alice HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        text("GET /v1/keys/api/alice%20b HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        text("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"),
        text("HEAD /ready HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"),
        post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":3}"),
        post("/v1/peek", "{\"limits\":\"10/minute; 100/day burst 20\",\"key\":\"\\u00e9\\n\"}"),
        post("/v1/set", "{\"policy\":\"api\",\"key\":\"alice\",\"n\":5}"),
        post("/v1/refund", "{\"policy\":\"api\",\"key\":\"alice\",\"n\":5}"),
        post("/v1/batch", "{\"checks\":[{\"key\":\"b\"},{\"op\":\"peek\",\"key\":\"c\"}]}"),
        post(
            "/json",
            "{\"domain\":\"web\",\"hitsAddend\":2,\"descriptors\":[{\"entries\":[{\"key\":\"user\","
                + "\"value\":\"a\"}]}]}"),
        text(
            "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "1e\r\n{\"policy\":\"api\",\"key\":\"alice\"}\r\n0\r\nTrailer: x\r\n\r\n"),
        text(
            "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: 30\r\n\r\n"
                + "{\"policy\":\"api\",\"key\":\"alice\"}"),
        text(
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"),
        text(
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "\r\n"));
  }

  /** Requests to administration. */
  static List<byte[]> admin() {
    return List.of(
        get("/metrics"),
        get("/health"),
        get("/ready"),
        get("/top"),
        get("/policies"),
        get("/explain?policy=api&key=alice"),
        get("/"),
        text("GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"),
        text("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n"),
        text("OPTIONS * HTTP/1.1\r\nHost: [::1]\r\n\r\n"),
        post("/actions", "{\"action\":\"reset\",\"policy\":\"api\",\"key\":\"alice\"}"),
        post("/explain", "{\"domain\":\"web\",\"descriptors\":[]}"));
  }

  static List<byte[]> resp() {
    return List.of(
        text("*3\r\n$9\r\nSTINT.HIT\r\n$3\r\napi\r\n$5\r\nalice\r\n"),
        text("*4\r\n$10\r\nSTINT.PEEK\r\n$3\r\napi\r\n$5\r\nalice\r\n$1\r\n7\r\n"),
        text(
            "*6\r\n$11\r\nCL.THROTTLE\r\n$4\r\nuser\r\n$2\r\n15\r\n$2\r\n30\r\n$2\r\n60\r\n"
                + "$1\r\n1\r\n"),
        text("*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n"),
        text("*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$6\r\nsecret\r\n"),
        text("*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$4\r\nname\r\n"),
        text("STINT.HIT api \"al\\x41ice\" 3\r\nPING\r\nECHO 'hello'\r\n"),
        text("*1\r\n$7\r\nCOMMAND\r\n*2\r\n$4\r\nINFO\r\n$6\r\nserver\r\n"),
        text("CONFIG GET save\r\nSELECT 0\r\nINFO\r\nRESET\r\nQUIT\r\n"),
        text("*3\r\n$11\r\nSTINT.RESET\r\n$3\r\napi\r\n$5\r\nalice\r\n"));
  }

  /** Each is a connection: the preface, settings and some requests, frame by frame. */
  static List<byte[]> http2() {
    byte[] body = "{\"policy\":\"api\",\"key\":\"alice\"}".getBytes(UTF_8);
    return List.of(
        Http2Frames.join(Http2Frames.hello(), Http2Frames.get(1, "/check?userId=a", null)),
        Http2Frames.join(
            Http2Frames.hello(),
            Http2Frames.post(1, "/v1/hit", null),
            Http2Frames.frame(Http2Frames.DATA, Http2Frames.END_STREAM, 1, body)),
        Http2Frames.join(
            Http2Frames.hello(65_535),
            Http2Frames.windowUpdate(0, 1 << 20),
            Http2Frames.post(1, "/v1/peek", "token"),
            Http2Frames.get(3, "/openapi.json", null),
            Http2Frames.frame(Http2Frames.DATA, Http2Frames.END_STREAM, 1, body),
            Http2Frames.windowUpdate(3, 100),
            Http2Frames.ping(),
            Http2Frames.reset(3)),
        Http2Frames.join(
            Http2Frames.hello(),
            Http2Frames.settingsAck(),
            split(Http2Frames.fields("GET", "/ready", "text/plain", null)),
            Http2Frames.frame(Http2Frames.PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 15}),
            Http2Frames.frame(Http2Frames.GOAWAY, 0, 0, new byte[8])));
  }

  private static byte[] split(byte[] fields) {
    byte[] first = java.util.Arrays.copyOf(fields, 20);
    byte[] rest = java.util.Arrays.copyOfRange(fields, 20, fields.length);
    return Http2Frames.join(
        Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_STREAM, 1, first),
        Http2Frames.frame(Http2Frames.CONTINUATION, Http2Frames.END_HEADERS, 1, rest));
  }

  static List<byte[]> grpc() {
    byte[] one = Protobuf.request("web", Protobuf.descriptor("user", "alice"));
    byte[] two =
        Protobuf.request(
            "web", Protobuf.descriptor("user", "a", "b", "c"), Protobuf.descriptor("other", "x"));
    ByteArrayOutputStream reflection = new ByteArrayOutputStream();
    Protobuf.field(reflection, 7, new byte[0]); // list_services
    ByteArrayOutputStream symbol = new ByteArrayOutputStream();
    Protobuf.field(symbol, 4, "grpc.health.v1.Health".getBytes(UTF_8));
    return List.of(
        call(ENVOY, one),
        call(ENVOY, two),
        call("/grpc.health.v1.Health/Check", new byte[0]),
        call("/grpc.health.v1.Health/Watch", new byte[0]),
        call("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", reflection.toByteArray()),
        call(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", symbol.toByteArray()),
        Http2Frames.join(
            Http2Frames.hello(),
            Http2Frames.call(1, ENVOY, "token"),
            Http2Frames.call(3, ENVOY, null),
            Http2Frames.lastMessage(3, two),
            Http2Frames.lastMessage(1, one)));
  }

  private static byte[] call(String method, byte[] message) {
    return Http2Frames.join(
        Http2Frames.hello(),
        Http2Frames.call(1, method, null),
        Http2Frames.lastMessage(1, message));
  }

  private static byte[] get(String path) {
    return text("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  private static byte[] post(String path, String body) {
    return text(
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
            + body.getBytes(UTF_8).length
            + "\r\n\r\n"
            + body);
  }

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }
}
