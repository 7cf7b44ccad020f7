package dev.stint.http.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.WebApplicationException;
import java.util.concurrent.atomic.AtomicInteger;

/** A resource with many ways to end a request. */
@Path("orders")
public class Orders implements OrderLookup {

  static final AtomicInteger CALLS = new AtomicInteger();

  /** A resource that has no path of its own. */
  public static class Items {
    @GET
    @Path("{item}")
    public String item(@PathParam("item") String item) {
      return "item " + item;
    }
  }

  @GET
  public String all() {
    return "orders";
  }

  @Override
  public String one(String id) {
    CALLS.incrementAndGet();
    return switch (id) {
      case "fail" -> throw new IllegalStateException("on purpose");
      case "teapot" -> throw new WebApplicationException(418);
      case "secret" -> throw new WebApplicationException(401);
      default -> "order " + id;
    };
  }

  @Path("{id}/items")
  public Items items() {
    return new Items();
  }
}
