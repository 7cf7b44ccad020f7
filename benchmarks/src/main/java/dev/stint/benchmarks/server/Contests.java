package dev.stint.benchmarks.server;

import dev.stint.benchmarks.server.RespTalk.Form;
import dev.stint.lab.RedisServer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What is compared with what. */
final class Contests {

  /** Requests under way on a connection that pipelines, or that has streams. */
  static final int DEPTH = 16;

  /** Makes a contest; its servers are started for that. */
  interface Making {
    Contest make() throws IOException;
  }

  private final Servers servers;
  private final int keys;
  private final int many;
  private final int few;
  private final Map<String, Making> all = new LinkedHashMap<>();

  /** With this many connections, each with one request under way, or an eighth of them with 16. */
  Contests(Servers servers, int connections, int keys) {
    this.servers = servers;
    this.keys = keys;
    this.many = connections;
    this.few = Math.max(1, connections / 8);
    // Those that pipeline come first: they warm the servers up sooner.
    all.put(
        "http-pipelined",
        () -> http("http-pipelined", "HTTP, 16 pipelined", few, DEPTH, OptionalDouble.empty()));
    all.put("http", () -> http("http", "HTTP", many, 1, OptionalDouble.of(0.8)));
    all.put("grpc", this::grpc);
    all.put("resp-pipelined", () -> resp("resp-pipelined", "RESP, 16 pipelined", few, DEPTH, 0.5));
    all.put("resp", () -> resp("resp", "RESP", many, 1, 0.8));
    all.put("redis", this::redis);
    all.put("dashboard", this::dashboard);
  }

  /** By their ids. */
  Map<String, Making> all() {
    return all;
  }

  /** The service alone, in memory, asked over one wire. */
  Contestant stint(String wire) throws IOException {
    return switch (wire) {
      case "http-pipelined" -> service("http", few, DEPTH, httpHits(few));
      case "http" -> service("http", many, 1, httpHits(many));
      case "grpc" -> service("grpc", few, DEPTH, calls());
      case "resp-pipelined" -> service("resp", few, DEPTH, throttle(few));
      case "resp" -> service("resp", many, 1, throttle(many));
      default -> throw new IllegalArgumentException("must be a wire: " + wire);
    };
  }

  private Contestant service(String port, int connections, int depth, Contestant.Language language)
      throws IOException {
    ServerProcess stint = servers.inMemory();
    return Contestant.server("Stint", stint.pid(), stint.port(port), connections, depth, language);
  }

  private Contestant.Language httpHits(int connections) {
    Requests requests = Requests.http(keys);
    return i -> new HttpTalk(requests.from(start(i, connections)));
  }

  private Contestant.Language calls() {
    Requests requests = GrpcTalk.requests(keys);
    return i -> new GrpcTalk(requests.from(start(i, few)));
  }

  /** Connections begin at different places of the same order. */
  private int start(int connection, int connections) {
    return (int) ((long) connection * keys / connections);
  }

  private Contest http(String id, String label, int connections, int depth, OptionalDouble atLeast)
      throws IOException {
    Contestant.Language language = httpHits(connections);
    ServerProcess floor = servers.floors();
    return new Contest(
        id,
        label,
        Contestant.server(
            "a constant", floor.pid(), floor.port("http"), connections, depth, language),
        List.of(service("http", connections, depth, language)),
        atLeast,
        depth == 1);
  }

  private Contest grpc() throws IOException {
    Contestant.Language language = calls();
    ServerProcess floor = servers.floors();
    return new Contest(
        "grpc",
        "gRPC",
        Contestant.server("a constant", floor.pid(), floor.port("grpc"), few, DEPTH, language),
        List.of(service("grpc", few, DEPTH, language)),
        OptionalDouble.of(0.85),
        true);
  }

  private Contest resp(String id, String label, int connections, int depth, double atLeast)
      throws IOException {
    ServerProcess stint = servers.inMemory();
    RedisServer redis = servers.floorRedis();
    String digest = redis.ask("SCRIPT", "LOAD", "return 1");
    return new Contest(
        id,
        label,
        Contestant.server(
            "redis-server's EVALSHA",
            redis.pid(),
            redis.port(),
            connections,
            depth,
            language(
                connections,
                Form.ONE,
                "EVALSHA",
                digest,
                "1",
                "KEY",
                Servers.THROTTLE[0],
                Servers.THROTTLE[1],
                Servers.THROTTLE[2])),
        List.of(
            Contestant.server(
                "CL.THROTTLE",
                stint.pid(),
                stint.port("resp"),
                connections,
                depth,
                throttle(connections)),
            Contestant.server(
                "STINT.HIT",
                stint.pid(),
                stint.port("resp"),
                connections,
                depth,
                hit(connections))),
        OptionalDouble.of(atLeast),
        depth == 1);
  }

  Contestant.Language throttle(int connections) {
    return language(
        connections,
        Form.THROTTLE,
        "CL.THROTTLE",
        "KEY",
        Servers.THROTTLE[0],
        Servers.THROTTLE[1],
        Servers.THROTTLE[2]);
  }

  Contestant.Language hit(int connections) {
    return language(connections, Form.HIT, "STINT.HIT", "api", "KEY");
  }

  Contestant.Language ping(int connections) {
    return language(connections, Form.PONG, "PING");
  }

  private Contestant.Language language(int connections, Form form, String... words) {
    Requests requests = Requests.command(keys, words);
    return i -> new RespTalk(requests.from(start(i, connections)), form);
  }

  private Contest redis() throws IOException {
    ServerProcess stint = servers.inRedis();
    int underWay = few * DEPTH;
    return new Contest(
        "redis",
        "In Redis, %d under way".formatted(underWay),
        new Contestant("RedisStore directly", servers.direct(underWay, keys), OptionalLong.empty()),
        List.of(
            Contestant.server(
                "STINT.HIT, pipelined", stint.pid(), stint.port("resp"), few, DEPTH, hit(few)),
            Contestant.server(
                "STINT.HIT, a connection each",
                stint.pid(),
                stint.port("resp"),
                underWay,
                1,
                hit(underWay))),
        OptionalDouble.of(0.7),
        false);
  }

  /** The same service twice: what is lost when somebody looks on. */
  private Contest dashboard() throws IOException {
    ServerProcess stint = servers.inMemory();
    Contestant unwatched =
        Contestant.server("dashboard closed", stint.pid(), stint.port("resp"), many, 1, hit(many));
    return new Contest(
        "dashboard",
        "STINT.HIT, dashboard",
        unwatched,
        List.of(
            new Contestant(
                "dashboard open",
                Viewer.watched(unwatched.asking(), stint.port("admin")),
                unwatched.pid())),
        OptionalDouble.of(0.98),
        false);
  }
}
