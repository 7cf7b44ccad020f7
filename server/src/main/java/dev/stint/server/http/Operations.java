package dev.stint.server.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.LargeRequestWorker;
import dev.stint.server.net.Readiness;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what a route is for. It is used by one event loop alone. */
final class Operations {

  private static final int OK = 200;
  private static final int TOO_MANY_REQUESTS = 429;

  /** Bytes of a request of Envoy's that takes longer than an event loop should be held. */
  private static final int LARGE_JSON = 4 << 10;

  private final Engine engine;
  private final Context loop;
  private final LargeRequestWorker worker;
  private final Documents documents;
  private final Readiness readiness;
  private final JsonRls envoy;
  private final Keys keys;
  private final AskReader reader;
  private final DecisionJson json = new DecisionJson();
  private final Batches batches;

  Operations(
      Engine engine,
      Bounds bounds,
      Context loop,
      LargeRequestWorker worker,
      Documents documents,
      Readiness readiness,
      JsonRls envoy) {
    this.engine = engine;
    this.loop = loop;
    this.worker = worker;
    this.batches = new Batches(engine, worker, loop, json);
    this.documents = documents;
    this.readiness = readiness;
    this.envoy = envoy;
    this.keys = new Keys(bounds.key());
    this.reader = new AskReader(keys, bounds.batch());
  }

  void run(Route route, Exchange exchange, byte[] body) {
    try {
      switch (route) {
        case WELCOME -> documents.welcome(exchange);
        case HEALTH -> Documents.health(exchange);
        case READY -> Documents.ready(exchange, readiness.isReady());
        case OPENAPI -> Documents.openApi(exchange);
        case CHECK -> check(exchange);
        case STATE -> state(exchange);
        case HIT -> ask(exchange, read(body, Operation.HIT, Shape.QUESTION));
        case PEEK -> ask(exchange, read(body, Operation.PEEK, Shape.QUESTION));
        case INC -> tell(exchange, read(body, Operation.INC, Shape.CHANGE));
        case REFUND -> tell(exchange, read(body, Operation.REFUND, Shape.CHANGE));
        case SET -> tell(exchange, read(body, Operation.SET, Shape.SETTING));
        case RESET -> tell(exchange, read(body, Operation.RESET, Shape.RESET));
        case BATCH -> batch(exchange, body);
        case ENVOY -> envoy(exchange, body);
      }
    } catch (Refused e) {
      exchange.refuse(e.problem());
    } catch (RuntimeException | AssertionError | StackOverflowError e) { // a defect of ours
      fail(exchange, e);
    }
  }

  private Ask read(byte[] body, Operation operation, Shape shape) {
    return reader.one(body, operation, shape, engine.policies());
  }

  // ---- questions -------------------------------------------------------------------------------

  private void ask(Exchange exchange, Ask ask) {
    if (engine.isLocal()) {
      decided(exchange, ask, decide(ask));
    } else {
      then(exchange, decideLater(ask), decision -> decided(exchange, ask, decision));
    }
  }

  private Decision decide(Ask ask) {
    return engine.ask(ask.operation(), ask.policy(), ask.key(), ask.units());
  }

  private CompletionStage<Decision> decideLater(Ask ask) {
    return engine.askAsync(ask.operation(), ask.policy(), ask.key(), ask.units());
  }

  private void decided(Exchange exchange, Ask ask, Decision decision) {
    Policy policy = ask.policy();
    headers(exchange, policy, ask.key(), decision);
    JsonBytes out = exchange.json().raw('{');
    json.decision(out, policy, ask.key(), decision);
    out.raw('}');
    exchange.answer(status(policy, decision));
  }

  static int status(Policy policy, Decision decision) {
    return decision.allowed() || policy.isShadow() ? OK : TOO_MANY_REQUESTS;
  }

  /** A policy that only watches keeps that to itself. */
  private static void headers(Exchange exchange, Policy policy, byte[] key, Decision decision) {
    if (!policy.isShadow()) {
      policy.termsFor(key).answers().answer(Key.of(key), decision).headers(exchange);
    }
  }

  private void check(Exchange exchange) {
    String query = exchange.request().query();
    String user = Percent.parameter(query, "userId");
    if (user == null) {
      throw keys.missing("userId", "was missing");
    }
    byte[] key = keys.checked(Percent.decode(user, "userId", true), "userId");
    String name = Percent.parameter(query, "policy");
    Policy policy =
        AskReader.named(
            engine.policies(),
            name == null
                ? Configuration.DEFAULT_POLICY
                : text(Percent.decode(name, "policy", true)));
    Ask ask = Ask.of(Operation.HIT, policy, key, 1);
    if (engine.isLocal()) {
      checked(exchange, policy, key, decide(ask));
    } else {
      then(exchange, decideLater(ask), decision -> checked(exchange, policy, key, decision));
    }
  }

  private static void checked(Exchange exchange, Policy policy, byte[] key, Decision decision) {
    headers(exchange, policy, key, decision);
    int status = status(policy, decision);
    SimpleCheck.write(exchange.json(), status == OK, decision);
    exchange.answer(status);
  }

  // ---- several questions -----------------------------------------------------------------------

  private void batch(Exchange exchange, byte[] body) {
    batches.answer(exchange, reader.batch(body, engine.policies()), body.length);
  }

  // ---- what is no question ---------------------------------------------------------------------

  private void state(Exchange exchange) {
    String path = exchange.request().path();
    int slash = path.indexOf('/', Route.KEYS.length());
    if (slash < 0 || path.indexOf('/', slash + 1) >= 0) {
      throw new Refused(
          404,
          "the path must be "
              + Route.STATE.path()
              + ", with two parts after keys, had "
              + (slash < 0 ? "one" : "more")
              + "; write a slash within a key as %2F");
    }
    String name = text(Percent.decode(path.substring(Route.KEYS.length(), slash), "policy", false));
    byte[] key = keys.checked(Percent.decode(path.substring(slash + 1), "key", false), "key");
    Policy policy;
    try {
      policy = AskReader.named(engine.policies(), name);
    } catch (Refused e) {
      throw new Refused(404, e.problem().detail());
    }
    tell(exchange, Ask.of(Operation.GET, policy, key, 1));
  }

  private void tell(Exchange exchange, Ask ask) {
    Policy policy = ask.policy();
    then(
        exchange,
        engine.tell(ask.operation(), policy, ask.key(), ask.units()),
        state -> {
          JsonBytes out = exchange.json().raw('{');
          json.state(out, policy, ask.key(), state);
          out.raw('}');
          exchange.answer(OK);
        });
  }

  private void envoy(Exchange exchange, byte[] body) {
    then(
        exchange,
        body.length > LARGE_JSON
            ? answerLater(exchange, new AtomicReference<>(body))
            : envoy.answer(body, exchange),
        reply -> {
          exchange.counted(reply.status());
          exchange.answer(reply.status(), reply.contentType(), Buffer.buffer(reply.body()));
        });
  }

  /** Has the worker decide. A body whose client has gone is not kept, and nothing is charged. */
  private CompletableFuture<JsonRls.Reply> answerLater(
      Exchange exchange, AtomicReference<byte @Nullable []> body) {
    Batches.hold(exchange, Objects.requireNonNull(body.get()).length);
    exchange.whenClosed(() -> body.set(null));
    return worker.call(
        exchange.connectionKey(),
        () -> {
          byte[] present = body.get();
          return present == null ? new CompletableFuture<>() : envoy.answer(present, exchange);
        });
  }

  // ---- waiting ---------------------------------------------------------------------------------

  /** Goes on in the event loop, at once if nobody has to be waited for. */
  private <T> void then(Exchange exchange, CompletionStage<T> stage, Consumer<T> next) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone()) {
      finish(exchange, future, next);
      return;
    }
    CompletableFuture<T> unused =
        future.whenComplete(
            (value, failure) -> loop.runOnContext(go -> finish(exchange, future, next)));
  }

  private static <T> void finish(Exchange exchange, CompletableFuture<T> future, Consumer<T> next) {
    try {
      next.accept(future.join());
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      Throwable cause = e.getCause();
      fail(exchange, e instanceof CompletionException && cause != null ? cause : e);
    }
  }

  /** Answers, so that the client is not left waiting. Why the store is away is in the log. */
  static void fail(Exchange exchange, Throwable cause) {
    if (cause instanceof StoreException) {
      exchange.refuseWithoutStore(
          new Problem(
              503,
              "the store cannot be reached, and this needs it; try again, it is not known whether"
                  + " anything was changed"));
    } else {
      InternalErrors.log("http", cause);
      exchange.refuse(new Problem(500, InternalErrors.SENTENCE));
    }
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
