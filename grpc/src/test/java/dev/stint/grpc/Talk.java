package dev.stint.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A service of texts with a method of each kind, which notes what its handlers were called for. */
final class Talk {

  static final MethodDescriptor<String, String> UNARY = method("Say", MethodType.UNARY);
  static final MethodDescriptor<String, String> MANY_ANSWERS =
      method("Count", MethodType.SERVER_STREAMING);
  static final MethodDescriptor<String, String> MANY_QUESTIONS =
      method("Join", MethodType.CLIENT_STREAMING);
  static final MethodDescriptor<String, String> BOTH = method("Echo", MethodType.BIDI_STREAMING);

  /** The methods whose handlers were called. */
  final List<String> handled = new CopyOnWriteArrayList<>();

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder()
        .setFullMethodName("test.Talk/" + name)
        .setType(type)
        .setRequestMarshaller(new Utf8())
        .setResponseMarshaller(new Utf8())
        .build();
  }

  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("test.Talk")
        .addMethod(UNARY, ServerCalls.asyncUnaryCall(this::say))
        .addMethod(MANY_ANSWERS, ServerCalls.asyncServerStreamingCall(this::count))
        .addMethod(MANY_QUESTIONS, ServerCalls.asyncClientStreamingCall(this::join))
        .addMethod(BOTH, ServerCalls.asyncBidiStreamingCall(this::echo))
        .build();
  }

  /** Answers with the word; or ends with the code that it names, or throws. */
  private void say(String word, StreamObserver<String> answers) {
    handled.add("Say");
    if (word.equals("throw")) {
      throw new IllegalStateException("as it was told to");
    }
    if (word.startsWith("end ")) {
      answers.onError(Status.Code.valueOf(word.substring(4)).toStatus().asException());
    } else if (!word.equals("nothing")) {
      answers.onNext(word);
      answers.onCompleted();
    }
  }

  private void count(String word, StreamObserver<String> answers) {
    handled.add("Count");
    List.of("1", "2", "3").forEach(number -> answers.onNext(word + number));
    answers.onCompleted();
  }

  private StreamObserver<String> join(StreamObserver<String> answers) {
    handled.add("Join");
    List<String> words = new ArrayList<>();
    return new Words(words::add) {
      @Override
      public void onCompleted() {
        answers.onNext(String.join(" ", words));
        answers.onCompleted();
      }
    };
  }

  private StreamObserver<String> echo(StreamObserver<String> answers) {
    handled.add("Echo");
    return new Words(answers::onNext) {
      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  private abstract static class Words implements StreamObserver<String> {
    private final Consumer<String> each;

    Words(Consumer<String> each) {
      this.each = each;
    }

    @Override
    public void onNext(String word) {
      each.accept(word);
    }

    @Override
    public void onError(Throwable failure) {}
  }

  private static final class Utf8 implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
