package dev.stint.http.jaxrs;

import dev.stint.http.Request;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.reflect.Method;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to a resource as rules see it. */
final class RestCall extends Request {

  private final ContainerRequestContext request;
  private final @Nullable String peer;
  private final @Nullable ResourceInfo resource;

  RestCall(
      ContainerRequestContext request, @Nullable String peer, @Nullable ResourceInfo resource) {
    this.request = request;
    this.peer = peer;
    this.resource = resource;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    String path = request.getUriInfo().getPath(false);
    return path.startsWith("/") ? path : "/" + path;
  }

  @Override
  protected String decodedPath() {
    return request.getUriInfo().getPath(true);
  }

  @Override
  public @Nullable String query() {
    return request.getUriInfo().getRequestUri().getRawQuery();
  }

  @Override
  public List<String> headers(String name) {
    List<String> lines = request.getHeaders().get(name);
    return lines == null ? List.of() : lines;
  }

  @Override
  public @Nullable String peer() {
    return peer;
  }

  @Override
  public @Nullable String principal() {
    SecurityContext security = request.getSecurityContext();
    Principal principal = security == null ? null : security.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  @Override
  protected @Nullable String template() {
    Method method = RateLimitFilter.method(resource);
    return method == null || resource == null
        ? null
        : Template.of(resource.getResourceClass(), method);
  }
}
