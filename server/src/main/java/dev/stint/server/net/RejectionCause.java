package dev.stint.server.net;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection or a request was rejected before any limit decided. The set is closed, so that
 * it can be a label of metrics.
 */
public enum RejectionCause {
  /** There are as many connections as {@code bounds.connections} allows. */
  CONNECTION_LIMIT(true),
  /** It made no progress for as long as {@code bounds.idle}. */
  IDLE(true),
  /** Together, clients hold as many bytes as they may. */
  MEMORY(true),
  /** Too many connections came at once to be served in time. */
  BUSY(true),
  /** The TLS handshake failed or was not finished. */
  TLS_HANDSHAKE(true),
  /** The bytes are not of this protocol. */
  PROTOCOL(true),

  /** The request cannot be understood. */
  MALFORMED(false),
  /** The request is larger than its bound. */
  TOO_LARGE(false),
  /** The request was not complete in time. */
  TOO_SLOW(false),
  /** The client sent no token that is known. */
  UNAUTHENTICATED(false),
  /** The client may not do this. */
  FORBIDDEN(false),
  /** There is nothing of this name, or not by this method. */
  NOT_FOUND(false),
  /** Together, requests hold more than they may, or the service is stopping. */
  OVERLOAD(false),
  /** The store could not be asked, and nothing stands in for it. */
  STORE(false),
  /** A defect of Stint. */
  INTERNAL_ERROR(false);

  private final boolean ofConnections;

  RejectionCause(boolean ofConnections) {
    this.ofConnections = ofConnections;
  }

  /** Whether connections are rejected for it; otherwise requests are. */
  public boolean isOfConnections() {
    return ofConnections;
  }

  /** Its value as a label. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The cause behind the status of an HTTP response; null if it is no rejection. */
  static @Nullable RejectionCause ofHttpStatus(int status) {
    return switch (status) {
      case 401 -> UNAUTHENTICATED;
      case 403 -> FORBIDDEN;
      case 404, 405 -> NOT_FOUND;
      case 408 -> TOO_SLOW;
      case 413, 414, 431 -> TOO_LARGE;
      case 429 -> null; // a limit has decided
      case 503 -> OVERLOAD;
      default -> status >= 500 ? INTERNAL_ERROR : status >= 400 ? MALFORMED : null;
    };
  }
}
