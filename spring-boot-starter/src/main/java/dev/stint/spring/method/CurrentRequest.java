package dev.stint.spring.method;

import dev.stint.http.Request;
import dev.stint.spring.HttpLimiters;
import org.jspecify.annotations.Nullable;

/** Finds the web request that a method is called for. Applications of MVC and WebFlux have one. */
public interface CurrentRequest {

  /** The request that the calling thread works for; null if there is none. */
  @Nullable Request ofThread();

  /**
   * Called if methods count by address.
   *
   * @param rules those that are in force, or are about to be
   * @throws RuntimeException if a client could choose the address it is counted by
   */
  void checkAddresses(HttpLimiters rules);
}
