package dev.stint.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.stint.server.net.Caller;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.Permissions;
import dev.stint.server.net.TokenAuth;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.grpc.common.CodecException;
import io.vertx.grpc.common.GrpcHeaderNames;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.MessageSizeOverflowException;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.common.WireFormat;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the methods on a gRPC port have in common: who may call, and what may be sent. */
final class GrpcCalls {

  private static final String PLAIN = "identity";
  private static final Set<String> PROTOBUF = Set.of("application/grpc", "application/grpc+proto");
  private static final CharSequence ACCEPT_ENCODING =
      HttpHeaders.createOptimized(GrpcHeaderNames.GRPC_ACCEPT_ENCODING.toString());

  private final GrpcServer server;
  private final TokenAuth auth;
  private final int mostBytes;

  /** The call that begins; only while {@link #handle} runs. */
  private CallsInProgress.@Nullable Call beginning;

  GrpcCalls(GrpcServer server, TokenAuth auth, int mostBytes) {
    this.server = server;
    this.auth = auth;
    this.mostBytes = mostBytes;
    server.callHandler(
        (GrpcServerRequest<Buffer, Buffer> call) ->
            fail(
                call.response(),
                GrpcStatus.UNIMPLEMENTED,
                "there is no such method; server reflection lists those that there are"));
  }

  /** What a method does with a message. */
  interface Method<Q, A> {
    void call(Q request, GrpcServerRequest<Q, A> call, CallsInProgress.Call inProgress);
  }

  /** The same, for a client that may do some things and others not. */
  interface GuardedMethod<Q, A> {
    void call(
        Q request,
        GrpcServerRequest<Q, A> call,
        CallsInProgress.Call inProgress,
        Permissions permissions);
  }

  /** Takes a request that may be a call; answers it at once if it is not one. */
  void handle(HttpServerRequest request, CallsInProgress.Call inProgress) {
    HttpServerResponse response = request.response();
    if (!request.method().equals(HttpMethod.POST) || request.path() == null) {
      response.putHeader(HttpHeaders.ALLOW, "POST").setStatusCode(405);
      response.end().onFailure(GrpcCalls::ignore);
      return;
    }
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !PROTOBUF.contains(type) || request.version() != HttpVersion.HTTP_2) {
      response.setStatusCode(415).end().onFailure(GrpcCalls::ignore);
      return;
    }
    // The library says that it takes gzip, and we refuse it.
    response.headersEndHandler(written -> response.headers().remove(ACCEPT_ENCODING));
    beginning = inProgress;
    try {
      server.handle(new MessageFraming(request));
    } finally {
      beginning = null;
    }
  }

  private CallsInProgress.Call beginning() {
    CallsInProgress.Call call = beginning;
    if (call == null) {
      throw new IllegalStateException("a call must begin where its request is handled");
    }
    return call;
  }

  /** A method with one message, for clients that have a token if tokens are configured. */
  <Q, A extends MessageLite> void guarded(
      String service, String method, Parser<Q> parser, GuardedMethod<Q, A> handler) {
    server.callHandler(
        method(service, method, parser),
        (GrpcServerRequest<Q, A> call) -> {
          Caller caller = known(call);
          if (caller != null) {
            Permissions permissions = wanted -> caller.denial(wanted, call.connection());
            failWithoutMessage(call);
            receive(
                call,
                parser,
                (request, same, inProgress) ->
                    handler.call(request, same, inProgress, permissions));
          }
        });
  }

  /** The same for a method with any number of messages, which ends when the client ends it. */
  <Q, A extends MessageLite> void guardedStream(
      String service,
      String method,
      Parser<Q> parser,
      BiConsumer<Q, GrpcServerRequest<Q, A>> handler) {
    server.callHandler(
        method(service, method, parser),
        (GrpcServerRequest<Q, A> call) -> {
          if (known(call) != null) {
            call.endHandler(end -> call.response().end().onFailure(GrpcCalls::ignore));
            receive(call, parser, (request, same, inProgress) -> handler.accept(request, same));
          }
        });
  }

  /** A method with one message, for every client. */
  <Q, A extends MessageLite> void open(
      String service,
      String method,
      Parser<Q> parser,
      BiConsumer<Q, GrpcServerRequest<Q, A>> handler) {
    server.callHandler(
        method(service, method, parser),
        (GrpcServerRequest<Q, A> call) -> {
          failWithoutMessage(call);
          receive(call, parser, (request, same, inProgress) -> handler.accept(request, same));
        });
  }

  /** The client that calls; null if it is not known, and then the call has ended. */
  private @Nullable Caller known(GrpcServerRequest<?, ?> call) {
    Caller caller = auth.caller(call.headers().get(HttpHeaders.AUTHORIZATION));
    if (caller.isKnown()) {
      return caller;
    }
    fail(
        call.response(),
        GrpcStatus.UNAUTHENTICATED,
        "a token must be given: send the metadata 'authorization: Bearer TOKEN'");
    return null;
  }

  /** Until {@link #close}, which the first message leads to. */
  private static void failWithoutMessage(GrpcServerRequest<?, ?> call) {
    call.endHandler(
        end ->
            fail(
                call.response(),
                GrpcStatus.INVALID_ARGUMENT,
                "a call must have a message, had none"));
  }

  private <Q, A extends MessageLite> void receive(
      GrpcServerRequest<Q, A> call, Parser<Q> parser, Method<Q, A> handler) {
    CallsInProgress.Call inProgress = beginning();
    call.invalidMessageHandler(
        failure -> {
          if (failure instanceof MessageSizeOverflowException) {
            refuse(
                call,
                GrpcStatus.RESOURCE_EXHAUSTED,
                "a message must have at most " + mostBytes + " bytes");
          } else {
            refuse(call, GrpcStatus.INVALID_ARGUMENT, "a message must be protobuf");
          }
        });
    call.messageHandler(
        message -> {
          // Unpacked by hand a small message could become a large one.
          if (!message.encoding().equals(PLAIN)) {
            refuse(call, GrpcStatus.UNIMPLEMENTED, "a message must not be compressed");
            return;
          }
          Q request;
          try {
            request = parse(parser, message.payload());
          } catch (InvalidProtocolBufferException e) {
            refuse(call, GrpcStatus.INVALID_ARGUMENT, "a message must be protobuf");
            return;
          }
          try {
            handler.call(request, call, inProgress);
          } catch (RuntimeException | AssertionError | StackOverflowError e) { // a defect of ours
            InternalErrors.log("grpc", e);
            refuse(call, GrpcStatus.INTERNAL, InternalErrors.SENTENCE);
          }
        });
  }

  /** Ends a call because of a message, and takes nothing more of it. */
  private static void refuse(GrpcServerRequest<?, ?> call, GrpcStatus status, String sentence) {
    close(call);
    fail(call.response(), status, sentence);
  }

  /** Ignores what follows the only message of a unary call, or it would be charged twice. */
  static void close(GrpcServerRequest<?, ?> call) {
    call.messageHandler(null);
    call.invalidMessageHandler(null);
    call.endHandler(null);
  }

  /** Ends a call with a sentence. */
  static void fail(GrpcServerResponse<?, ?> response, GrpcStatus status, String sentence) {
    try {
      response.trailers().set(GrpcHeaderNames.GRPC_MESSAGE, GrpcStatusText.encode(sentence));
      response.status(status).end().onFailure(GrpcCalls::ignore);
    } catch (IllegalStateException e) { // it has ended already, and keeps its first answer
      ignore(e);
    }
  }

  /** Whoever has gone does not hear us. */
  static void ignore(Throwable gone) {}

  private static <Q> Q parse(Parser<Q> parser, Buffer payload)
      throws InvalidProtocolBufferException {
    return parser.parseFrom(payload.getBytes());
  }

  private static <Q, A extends MessageLite> ServiceMethod<Q, A> method(
      String service, String method, Parser<Q> parser) {
    return ServiceMethod.server(
        ServiceName.create(service), method, new Written<A>(), new Read<>(parser));
  }

  /** Reads protobuf only; the JSON of these messages has a port of its own. */
  private record Read<T>(Parser<T> parser) implements GrpcMessageDecoder<T> {
    @Override
    public T decode(GrpcMessage message) throws CodecException {
      try {
        return parse(parser, message.payload());
      } catch (InvalidProtocolBufferException e) {
        throw new CodecException(e);
      }
    }

    @Override
    public boolean accepts(WireFormat format) {
      return format == WireFormat.PROTOBUF;
    }
  }

  private record Written<T extends MessageLite>() implements GrpcMessageEncoder<T> {
    @Override
    public GrpcMessage encode(T answer, WireFormat format) {
      return GrpcMessage.message(PLAIN, Buffer.buffer(answer.toByteArray()));
    }

    @Override
    public boolean accepts(WireFormat format) {
      return format == WireFormat.PROTOBUF;
    }
  }
}
