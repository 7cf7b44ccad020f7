package dev.stint.grpc;

import dev.stint.http.Request;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A gRPC call as rules see it: a POST to {@code /package.Service/Method}. */
final class GrpcCall extends Request {

  private final ServerCall<?, ?> call;
  private final Metadata metadata;
  private final Function<ServerCall<?, ?>, @Nullable String> principal;

  /** Where the principal is looked for, also if that happens on a thread of the store. */
  private final Context context = Context.current();

  GrpcCall(
      ServerCall<?, ?> call,
      Metadata metadata,
      Function<ServerCall<?, ?>, @Nullable String> principal) {
    this.call = call;
    this.metadata = metadata;
    this.principal = principal;
  }

  @Override
  public String method() {
    return "POST";
  }

  @Override
  public String path() {
    return "/" + call.getMethodDescriptor().getFullMethodName();
  }

  @Override
  public @Nullable String query() {
    return null;
  }

  @Override
  public List<String> headers(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("host")) {
      String authority = call.getAuthority(); // gRPC keeps the host here, and not in the metadata
      return authority == null ? List.of() : List.of(authority);
    }
    return Texts.canName(lower) ? lines(lower) : List.of();
  }

  private List<String> lines(String name) {
    Iterable<String> lines = metadata.getAll(Texts.key(name));
    if (lines == null) {
      return List.of();
    }
    List<String> list = new ArrayList<>();
    lines.forEach(list::add);
    return list;
  }

  @Override
  public @Nullable String peer() {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)
                instanceof InetSocketAddress socket
            && socket.getAddress() != null
        ? socket.getAddress().getHostAddress()
        : null;
  }

  @Override
  public @Nullable String principal() {
    Context before = context.attach();
    try {
      return principal.apply(call);
    } finally {
      context.detach(before);
    }
  }

  /** Names of methods are the server's own, so they vary no more than templates do. */
  @Override
  protected String template() {
    return path();
  }
}
