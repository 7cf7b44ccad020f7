package dev.stint.grpc;

import io.grpc.Status;

/** What gRPC's codes are in HTTP, where rules are written: {@code onlyIf(status -> …)}. */
final class Codes {

  /** Nobody waits for the answer any more; a common number, though not a registered one. */
  static final int CANCELLED = 499;

  static final int FAILED = 500;

  private Codes() {}

  static int status(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case CANCELLED -> CANCELLED;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
      case UNKNOWN, INTERNAL, DATA_LOSS -> FAILED;
    };
  }
}
