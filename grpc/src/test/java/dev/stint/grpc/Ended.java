package dev.stint.grpc;

import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a call went, as its client saw it. */
record Ended(Metadata headers, List<String> messages, Status status, Metadata trailers) {

  @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  @Nullable String trailer(String name) {
    return trailers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  Status.Code code() {
    return status.getCode();
  }

  /** Seconds, as google.rpc.RetryInfo has them. */
  Optional<Long> retryDelay() throws Exception {
    com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
    if (details == null || details.getDetailsCount() == 0) {
      return Optional.empty();
    }
    RetryInfo retry = details.getDetails(0).unpack(RetryInfo.class);
    return Optional.of(retry.getRetryDelay().getSeconds());
  }
}
