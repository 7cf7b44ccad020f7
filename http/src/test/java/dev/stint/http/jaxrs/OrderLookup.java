package dev.stint.http.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Where the annotations of a resource's method may be as well. */
public interface OrderLookup {
  @GET
  @Path("{id}")
  String one(@PathParam("id") String id);
}
