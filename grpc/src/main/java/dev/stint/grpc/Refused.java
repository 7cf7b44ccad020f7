package dev.stint.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import dev.stint.http.Answer;
import dev.stint.http.Refusal;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;

/** How a call ends that may not pass. */
final class Refused {

  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private Refused() {}

  static void close(ServerCall<?, ?> call, Answer answer, Refusal refusal) {
    Status status = status(refusal);
    Metadata trailers = Texts.with(answer, new Metadata());
    refusal.retryAfter().ifPresent(seconds -> trailers.put(DETAILS, details(status, seconds)));
    call.close(status, trailers);
  }

  private static Status status(Refusal refusal) {
    Status status =
        switch (refusal.reason()) {
          case LIMIT -> Status.RESOURCE_EXHAUSTED;
          case STORE_UNAVAILABLE, LIMIT_UNKNOWN -> Status.UNAVAILABLE;
          case BLOCKED, MISSING_KEY -> Status.PERMISSION_DENIED;
        };
    return status.withDescription(
        refusal.contentType().startsWith("text/plain") ? refusal.body() : refusal.detail());
  }

  private static com.google.rpc.Status details(Status status, long seconds) {
    RetryInfo retry =
        RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(seconds)).build();
    return com.google.rpc.Status.newBuilder()
        .setCode(status.getCode().value())
        .setMessage(String.valueOf(status.getDescription()))
        .addDetails(Any.pack(retry))
        .build();
  }
}
