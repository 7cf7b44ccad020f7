package dev.stint.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.stint.server.net.Gate;
import dev.stint.server.net.InternalErrors;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.grpc.common.CodecException;
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
import java.util.function.BiConsumer;

/** What the methods on a gRPC port have in common: who may call, and what may be sent. */
final class GrpcCalls {

  private static final String PLAIN = "identity";

  private final GrpcServer server;
  private final Gate gate;
  private final int mostBytes;

  GrpcCalls(GrpcServer server, Gate gate, int mostBytes) {
    this.server = server;
    this.gate = gate;
    this.mostBytes = mostBytes;
  }

  /** A method for those whom the gate lets in. */
  <Q, A extends MessageLite> void guarded(
      String service,
      String method,
      Parser<Q> parser,
      BiConsumer<Q, GrpcServerRequest<Q, A>> handler) {
    server.callHandler(
        method(service, method, parser),
        (GrpcServerRequest<Q, A> call) -> {
          if (gate.isOpen() || gate.admitsHeader(call.headers().get(HttpHeaders.AUTHORIZATION))) {
            receive(call, parser, handler);
          } else {
            fail(
                call.response(),
                GrpcStatus.UNAUTHENTICATED,
                "a token must be given: send the metadata 'authorization: Bearer TOKEN'");
          }
        });
  }

  /** A method for everybody. */
  <Q, A extends MessageLite> void open(
      String service,
      String method,
      Parser<Q> parser,
      BiConsumer<Q, GrpcServerRequest<Q, A>> handler) {
    server.callHandler(
        method(service, method, parser),
        (GrpcServerRequest<Q, A> call) -> receive(call, parser, handler));
  }

  private <Q, A extends MessageLite> void receive(
      GrpcServerRequest<Q, A> call,
      Parser<Q> parser,
      BiConsumer<Q, GrpcServerRequest<Q, A>> handler) {
    call.invalidMessageHandler(
        failure -> {
          if (failure instanceof MessageSizeOverflowException) {
            fail(
                call.response(),
                GrpcStatus.RESOURCE_EXHAUSTED,
                "a message must have at most " + mostBytes + " bytes");
          } else {
            fail(call.response(), GrpcStatus.INVALID_ARGUMENT, "a message must be protobuf");
          }
        });
    call.messageHandler(
        message -> {
          // Unpacked by hand a small message could become a large one.
          if (!message.encoding().equals(PLAIN)) {
            fail(call.response(), GrpcStatus.UNIMPLEMENTED, "a message must not be compressed");
            return;
          }
          Q request;
          try {
            request = parse(parser, message.payload());
          } catch (InvalidProtocolBufferException e) {
            fail(call.response(), GrpcStatus.INVALID_ARGUMENT, "a message must be protobuf");
            return;
          }
          try {
            handler.accept(request, call);
          } catch (RuntimeException | AssertionError | StackOverflowError e) { // a defect of ours
            InternalErrors.log("grpc", e);
            fail(call.response(), GrpcStatus.INTERNAL, InternalErrors.SENTENCE);
          }
        });
  }

  /** Listens no more to a caller who has only one message to send, or would be charged twice. */
  static void close(GrpcServerRequest<?, ?> call) {
    call.messageHandler(null);
    call.invalidMessageHandler(null);
  }

  /** Ends a call with a sentence. */
  static void fail(GrpcServerResponse<?, ?> response, GrpcStatus status, String sentence) {
    try {
      response.status(status).statusMessage(sentence).end().onFailure(GrpcCalls::ignore);
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
