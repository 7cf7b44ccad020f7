package dev.stint.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A call from its client's side. */
final class Conversation {

  private final ClientCall<String, String> call;
  private final CompletableFuture<Ended> end = new CompletableFuture<>();

  private Conversation(ClientCall<String, String> call) {
    this.call = call;
  }

  /** Sends everything at once, without waiting to be heard. */
  static Conversation begin(
      Channel channel, MethodDescriptor<String, String> method, Metadata sent, String... words) {
    Conversation conversation = new Conversation(channel.newCall(method, CallOptions.DEFAULT));
    ClientCall<String, String> call = conversation.call;
    call.start(conversation.new Listener(), sent);
    call.request(Integer.MAX_VALUE);
    List.of(words).forEach(call::sendMessage);
    call.halfClose();
    return conversation;
  }

  void cancel() {
    call.cancel("no longer of interest", null);
  }

  boolean isOver() {
    return end.isDone();
  }

  Ended end() throws Exception {
    return end.get(10, TimeUnit.SECONDS);
  }

  private final class Listener extends ClientCall.Listener<String> {
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private Metadata headers = new Metadata();

    @Override
    public void onHeaders(Metadata headers) {
      this.headers = headers;
    }

    @Override
    public void onMessage(String message) {
      messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(new Ended(headers, messages, status, trailers));
    }
  }
}
