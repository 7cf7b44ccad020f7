package dev.stint.http.jdk;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets exchanges of the JDK's server pass as the rules of an {@link HttpLimiter} say.
 *
 * <pre>{@code
 * server.createContext("/", handler).getFilters().add(new RateLimitFilter(limiter));
 * }</pre>
 *
 * <p>The server authenticates only after all filters. So rules by principal must stand {@linkplain
 * #inFrontOf in front of the handler} itself; principals are users by name, whatever their realm.
 *
 * <p>Paths are whole, with that of the context. Several filters of this kind may follow one
 * another, each with its own limiter; the headers then speak of all.
 *
 * <p>A handler that sends its response only after it has returned is too late for {@linkplain
 * dev.stint.http.Rule#onlyIf rules that charge only some responses}: its requests stay charged.
 */
public final class RateLimitFilter extends Filter {

  private static final int INTERNAL_SERVER_ERROR = 500;
  private static final int NO_STATUS = -1;
  private static final int NO_BODY = -1;

  /**
   * What the filter before said, for the filter after. A chain is one stack of calls; the
   * attributes of an exchange will not do, for all exchanges of a context have them in common.
   */
  private static final ThreadLocal<@Nullable Passed> PASSED = new ThreadLocal<>();

  private record Passed(HttpExchange exchange, Answer answer) {}

  private final HttpLimiter limiter;

  /** A filter that asks this limiter. */
  public RateLimitFilter(HttpLimiter limiter) {
    if (limiter == null) {
      throw new IllegalArgumentException("limiter must not be null");
    }
    this.limiter = limiter;
  }

  @Override
  public String description() {
    return "Limits the rate of requests";
  }

  /** A handler with this filter in front of it, where it is known who is authenticated. */
  public HttpHandler inFrontOf(HttpHandler handler) {
    return exchange -> doFilter(exchange, new Chain(List.of(), handler));
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Passed before = PASSED.get();
    boolean follows = before != null && before.exchange == exchange;
    Answer answer = limiter.decide(new ExchangeCall(exchange), follows ? before.answer : null);
    answer.headers(exchange.getResponseHeaders()::set);
    Refusal refusal = answer.refusal().orElse(null);
    if (refusal != null) {
      send(refusal, exchange);
      return;
    }
    PASSED.set(new Passed(exchange, answer));
    try {
      handle(answer, exchange, chain);
    } finally {
      if (follows) {
        PASSED.set(before);
      } else {
        PASSED.remove();
      }
    }
  }

  private static void handle(Answer answer, HttpExchange exchange, Chain chain) throws IOException {
    boolean returned = false;
    try {
      chain.doFilter(exchange);
      returned = true;
    } finally {
      int status = exchange.getResponseCode();
      if (status != NO_STATUS) {
        answer.finished(status);
      } else if (!returned) {
        answer.finished(INTERNAL_SERVER_ERROR);
      }
    }
  }

  private static void send(Refusal refusal, HttpExchange exchange) throws IOException {
    byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > 0) {
      exchange.getResponseHeaders().set("Content-Type", refusal.contentType());
    }
    // Without the stream the server would take the exchange for a broken one. When it is closed, a
    // short rest of the body is drained and the connection kept; with a long rest it is closed too.
    try (InputStream unread = exchange.getRequestBody()) {
      if (body.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
        unread.close(); // now, because headers without a body end the exchange
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(refusal.status(), NO_BODY);
      } else {
        exchange.sendResponseHeaders(refusal.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.getResponseBody().close();
      }
    }
  }
}
