package dev.stint.server.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.stint.server.attack.Swarm.Behaviour;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** What clients can do to a service: the rows of the matrix. */
final class Attacks {

  private static final String SHOULD_RATE_LIMIT =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final String WATCH = "/grpc.health.v1.Health/Watch";
  private static final String REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

  private static final int CROWD = 10_500;
  private static final int HTTP_STREAMS = 100;
  private static final int GRPC_STREAMS = 256;
  private static final int KEPT_OPEN_MILLIS = 50;
  private static final byte[] NOTHING = {};

  private Attacks() {}

  /** Every attack on a service without encryption. */
  static List<Attack> plain() {
    List<Attack> all = new ArrayList<>();
    all.add(new Attack("HTTP/2, window 0, the largest batches", Attacks::windowZeroBatches));
    all.add(new Attack("gRPC, window 0, 1,000 descriptors", Attacks::windowZeroDescriptors));
    all.add(new Attack("Health/Watch, 100 x 256 streams", Attacks::watches));
    for (int connections : new int[] {100, 500, 1000}) {
      all.add(
          new Attack(
              "HTTP/1.1 pipelining without reading, " + connections,
              (target, from, percent) ->
                  swarm(target, Target.HTTP, from, connections, percent, pipelined(target))));
    }
    all.add(
        crowd(
            "HTTP/1.1 pipelining without reading, ending together, 500",
            Target.HTTP,
            500,
            Attacks::pipelinedHits));
    all.add(
        crowd("RESP pipelining without reading, 2,000", Target.RESP, 2000, Attacks::respPipelined));
    all.add(crowd("RESP names, 10,500", Target.RESP, CROWD, target -> respName()));
    all.add(crowd("RESP partial frames, 10,500", Target.RESP, CROWD, target -> partialFrame()));
    all.add(crowd("partial HTTP headers, 10,500", Target.HTTP, CROWD, target -> partialHeaders()));
    all.add(crowd("1,600 HTTP headers, 10,500", Target.HTTP, CROWD, target -> manyHeaders()));
    for (String wire : List.of(Target.HTTP, Target.GRPC, Target.RESP, Target.ADMIN)) {
      all.add(
          crowd(
              "silent sockets on " + wire + ", 10,500",
              wire,
              CROWD,
              target -> Behaviour.sendsOnce(NOTHING)));
    }
    all.add(
        crowd(
            "HTTP/2 streams without bodies, 200 x 100",
            Target.HTTP,
            200,
            target -> Behaviour.sendsOnce(openHttpStreams(target))));
    all.add(
        crowd(
            "gRPC streams without messages, 60 x 256",
            Target.GRPC,
            60,
            target -> Behaviour.sendsOnce(openCalls(target))));
    all.add(new Attack("rapid reset", Attacks::rapidReset));
    all.add(new Attack("MadeYouReset", Attacks::madeYouReset));
    all.add(new Attack("scrapes with the longest labels, not read", Attacks::scrapes));
    all.add(new Attack("batches of 1,000 with all the limits allowed", Attacks::batches));
    all.add(new Attack("reflection, window 0", Attacks::reflection));
    return all;
  }

  /** Every attack on a service with encryption. */
  static List<Attack> encrypted() {
    return List.of(
        crowd("half TLS handshakes, 10,500", Target.HTTP, CROWD, Attacks::clientHello),
        crowd(
            "silent sockets before TLS, 10,500",
            Target.RESP,
            CROWD,
            target -> Behaviour.sendsOnce(NOTHING)));
  }

  // ---- how they are launched -------------------------------------------------------------------

  private interface Behaving {
    Behaviour towards(Target target) throws IOException;
  }

  private static Attack crowd(String name, String wire, int size, Behaving behaving) {
    return new Attack(
        name,
        (target, from, percent) ->
            swarm(target, wire, from, size, percent, behaving.towards(target)));
  }

  private static Swarm swarm(
      Target target, String wire, InetAddress from, int size, int percent, Behaviour behaviour) {
    return Swarm.release(from, target.address(wire), Math.max(1, size * percent / 100), behaviour);
  }

  /** Several of the same in the background. */
  private static AutoCloseable all(int count, Attack.Work work) {
    List<AutoCloseable> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(Attack.inBackground(work));
    }
    return () -> {
      for (AutoCloseable one : running) {
        one.close();
      }
    };
  }

  // ---- answers that nobody reads ---------------------------------------------------------------

  private static AutoCloseable windowZeroBatches(Target target, InetAddress from, int percent)
      throws IOException {
    byte[] batch = LargestBatch.find(target);
    return Attack.inBackground(
        until -> {
          try (Http2Attacker attacker =
              new Http2Attacker(from, target.address(Target.HTTP), Http2Frames.hello(0))) {
            for (int i = 0; i < HTTP_STREAMS && !attacker.isGone(); i++) {
              int stream = attacker.next();
              attacker.send(Http2Frames.post(stream, "/v1/batch", target.token()));
              attacker.body(stream, batch, until);
            }
            hold(attacker);
          }
        });
  }

  private static AutoCloseable windowZeroDescriptors(Target target, InetAddress from, int percent) {
    byte[][] descriptors =
        IntStream.range(0, 1000)
            .mapToObj(i -> Protobuf.descriptor("user", "attacker" + i))
            .toArray(byte[][]::new);
    byte[] message = Http2Frames.message(Protobuf.request("web", descriptors));
    return all(
        Math.max(1, 10 * percent / 100),
        until -> {
          try (Http2Attacker attacker =
              new Http2Attacker(from, target.address(Target.GRPC), Http2Frames.hello(0))) {
            for (int i = 0; i < GRPC_STREAMS && !attacker.isGone(); i++) {
              int stream = attacker.next();
              attacker.send(Http2Frames.call(stream, SHOULD_RATE_LIMIT, target.token()));
              attacker.body(stream, message, until);
            }
            hold(attacker);
          }
        });
  }

  private static AutoCloseable reflection(Target target, InetAddress from, int percent) {
    ByteArrayOutputStream question = new ByteArrayOutputStream();
    Protobuf.field(question, 4, "envoy.service.ratelimit.v3.RateLimitService".getBytes(US_ASCII));
    byte[] once = Http2Frames.message(question.toByteArray());
    ByteArrayOutputStream often = new ByteArrayOutputStream();
    for (int i = 0; i < 1000; i++) {
      often.writeBytes(once);
    }
    byte[] questions = often.toByteArray();
    return all(
        Math.max(1, 10 * percent / 100),
        until -> {
          try (Http2Attacker attacker =
              new Http2Attacker(from, target.address(Target.GRPC), Http2Frames.hello(0))) {
            for (int i = 0; i < GRPC_STREAMS && !attacker.isGone(); i++) {
              int stream = attacker.next();
              attacker.send(Http2Frames.call(stream, REFLECT, target.token()));
              attacker.body(stream, questions, until);
            }
            hold(attacker);
          }
        });
  }

  /** Keeps a connection for as long as the service does. */
  private static void hold(Http2Attacker attacker) throws InterruptedException {
    while (!attacker.isGone()) {
      Thread.sleep(KEPT_OPEN_MILLIS);
    }
  }

  private static AutoCloseable watches(Target target, InetAddress from, int percent) {
    ByteArrayOutputStream opening = new ByteArrayOutputStream();
    opening.writeBytes(Http2Frames.hello(0));
    for (int i = 0; i < GRPC_STREAMS; i++) {
      int stream = 2 * i + 1;
      opening.writeBytes(Http2Frames.call(stream, WATCH, target.token()));
      opening.writeBytes(Http2Frames.lastMessage(stream, NOTHING));
    }
    return swarm(
        target, Target.GRPC, from, 100, percent, Behaviour.sendsOnce(opening.toByteArray()));
  }

  private static Behaviour pipelined(Target target) {
    String authorization =
        target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n";
    byte[] small =
        ("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n" + authorization + "\r\n")
            .getBytes(US_ASCII);
    byte[] batch = LargestBatch.post("/v1/batch", target, LargestBatch.batch(50, 20));
    return Behaviour.neverReads(batch, repeat(small, 50));
  }

  /** The first is answered, so that the connection is one of those from which more is read. */
  private static Behaviour pipelinedHits(Target target) {
    String authorization =
        target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n";
    byte[] hit =
        ("POST /v1/hit HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n"
                + authorization
                + "Content-Length: 11\r\n\r\n{\"key\":\"a\"}")
            .getBytes(US_ASCII);
    return Behaviour.neverReadsAndEnds(hit, repeat(hit, 500));
  }

  private static Behaviour respPipelined(Target target) {
    byte[] commands = repeat("COMMAND\r\n".getBytes(US_ASCII), 200);
    byte[] echo =
        ("*2\r\n$4\r\nECHO\r\n$60000\r\n" + "e".repeat(60_000) + "\r\n").getBytes(US_ASCII);
    return Behaviour.neverReads(auth(target.token()), Http2Frames.join(commands, echo));
  }

  private static byte[] auth(@Nullable String token) {
    return token == null ? NOTHING : ("AUTH " + token + "\r\n").getBytes(US_ASCII);
  }

  private static AutoCloseable scrapes(Target target, InetAddress from, int percent)
      throws IOException, InterruptedException {
    // Every rule and every detailed value has been seen once, so that each has its series.
    try (Http2Attacker series =
        new Http2Attacker(from, target.address(Target.GRPC), Http2Frames.hello())) {
      long until = System.nanoTime() + 5_000_000_000L;
      for (int i = 0; i < 20; i++) {
        int first = i * 50;
        byte[][] descriptors =
            IntStream.range(first, first + 50)
                .mapToObj(n -> Protobuf.descriptor("detailed", n + "v".repeat(3000)))
                .toArray(byte[][]::new);
        int stream = series.next();
        series.send(Http2Frames.call(stream, SHOULD_RATE_LIMIT, target.token()));
        series.body(
            stream,
            Http2Frames.message(Protobuf.request(AttackedConfiguration.DOMAIN, descriptors)),
            until);
      }
    }
    byte[] scrape =
        ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                + (target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n")
                + "\r\n")
            .getBytes(US_ASCII);
    return swarm(target, Target.ADMIN, from, 100, percent, Behaviour.neverReads(NOTHING, scrape));
  }

  private static AutoCloseable batches(Target target, InetAddress from, int percent)
      throws IOException {
    byte[] request = LargestBatch.post("/v1/batch", target, LargestBatch.find(target));
    return swarm(target, Target.HTTP, from, 20, percent, Behaviour.reads(NOTHING, request));
  }

  // ---- requests that never end -----------------------------------------------------------------

  private static Behaviour respName() {
    return Behaviour.sendsOnce(
        ("*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n$60000\r\n" + "n".repeat(60_000) + "\r\n")
            .getBytes(US_ASCII));
  }

  private static Behaviour partialFrame() {
    return Behaviour.sendsOnce(
        ("*3\r\n$9\r\nSTINT.HIT\r\n$3\r\napi\r\n$1000000\r\n" + "k".repeat(60_000))
            .getBytes(US_ASCII));
  }

  private static Behaviour partialHeaders() {
    return Behaviour.sendsOnce(("GET / HTTP/1.1\r\nX: " + "x".repeat(7900)).getBytes(US_ASCII));
  }

  private static Behaviour manyHeaders() {
    return Behaviour.sendsOnce(("GET / HTTP/1.1\r\n" + "a:b\r\n".repeat(1600)).getBytes(US_ASCII));
  }

  private static byte[] openHttpStreams(Target target) {
    ByteArrayOutputStream opening = new ByteArrayOutputStream();
    opening.writeBytes(Http2Frames.hello());
    for (int i = 0; i < HTTP_STREAMS; i++) {
      opening.writeBytes(Http2Frames.post(2 * i + 1, "/v1/hit", target.token()));
    }
    return opening.toByteArray();
  }

  private static byte[] openCalls(Target target) {
    ByteArrayOutputStream opening = new ByteArrayOutputStream();
    opening.writeBytes(Http2Frames.hello());
    for (int i = 0; i < GRPC_STREAMS; i++) {
      opening.writeBytes(Http2Frames.call(2 * i + 1, SHOULD_RATE_LIMIT, target.token()));
    }
    return opening.toByteArray();
  }

  /** The first message of a handshake; what the service answers is not read. */
  private static Behaviour clientHello(Target target) throws IOException {
    SSLContext tls = target.tls();
    SSLEngine engine = tls.createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), out);
    byte[] hello = new byte[out.position()];
    out.flip().get(hello);
    return Behaviour.sendsOnce(hello);
  }

  // ---- streams that are reset ------------------------------------------------------------------

  private static AutoCloseable rapidReset(Target target, InetAddress from, int percent) {
    return resets(
        target,
        from,
        percent,
        (http, stream) ->
            Http2Frames.join(request(http, stream, target), Http2Frames.reset(stream)));
  }

  /** Makes the service reset the streams: a window of nothing is an error of the stream. */
  private static AutoCloseable madeYouReset(Target target, InetAddress from, int percent) {
    return resets(
        target,
        from,
        percent,
        (http, stream) ->
            Http2Frames.join(request(http, stream, target), Http2Frames.windowUpdate(stream, 0)));
  }

  private interface Reset {
    byte[] of(boolean http, int stream);
  }

  private static byte[] request(boolean http, int stream, Target target) {
    return http
        ? Http2Frames.join(
            Http2Frames.post(stream, "/v1/hit", target.token()),
            Http2Frames.frame(
                Http2Frames.DATA,
                Http2Frames.END_STREAM,
                stream,
                "{\"policy\":\"api\",\"key\":\"attacker\"}".getBytes(US_ASCII)))
        : Http2Frames.join(
            Http2Frames.call(stream, SHOULD_RATE_LIMIT, target.token()),
            Http2Frames.lastMessage(
                stream, Protobuf.request("web", Protobuf.descriptor("user", "attacker"))));
  }

  private static AutoCloseable resets(Target target, InetAddress from, int percent, Reset reset) {
    List<AutoCloseable> running = new ArrayList<>();
    for (boolean http : new boolean[] {true, false}) {
      running.add(
          all(
              Math.max(1, 4 * percent / 100),
              until -> {
                try (Http2Attacker attacker =
                    new Http2Attacker(
                        from,
                        target.address(http ? Target.HTTP : Target.GRPC),
                        Http2Frames.hello(0))) {
                  while (!attacker.isGone() && System.nanoTime() < until) {
                    ByteArrayOutputStream many = new ByteArrayOutputStream();
                    for (int i = 0; i < 50; i++) {
                      many.writeBytes(reset.of(http, attacker.next()));
                    }
                    attacker.send(many.toByteArray());
                    if (Thread.interrupted()) {
                      throw new InterruptedException();
                    }
                  }
                }
              }));
    }
    return () -> {
      for (AutoCloseable one : running) {
        one.close();
      }
    };
  }

  private static byte[] repeat(byte[] bytes, int times) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }
}
