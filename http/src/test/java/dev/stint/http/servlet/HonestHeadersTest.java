package dev.stint.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.http.HttpLimiter;
import dev.stint.http.LastDecision;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;

/**
 * Whoever comes back at {@code Retry-After} is let in, one second earlier never; and the headers
 * are the numbers of the decision that was made. Over HTTP, for random rules, in virtual time.
 */
class HonestHeadersTest {

  private static final int REFUSALS = 10_000;
  private static final String[] KINDS = {
    "",
    " burst 7",
    " leaky-bucket",
    " fixed-window",
    " fixed-window-per-key",
    " sliding-log",
    " sliding-counter"
  };
  private static final String[] UNITS = {"second", "minute", "hour", "2 minutes", "7 seconds"};

  private final long seed = Long.getLong("stint.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final ManualTime time = ManualTime.at(Instant.parse("2026-01-01T00:00:00.123456Z"));
  private final LastDecision store = new LastDecision(MemoryStore.builder().time(time).build());
  private final Changeable filter = new Changeable();
  private final AtomicInteger handled = new AtomicInteger();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void ten_thousand_refusals_keep_their_word() throws Exception {
    int refusals = 0;
    try (JettyServer server = new JettyServer(new CountingServlet(handled), filter)) {
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
      for (int rule = 0; refusals < REFUSALS; rule++) {
        String limits = limits();
        long cost = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
        filter.current =
            new RateLimitFilter(
                HttpLimiter.builder(store).rule(Rule.of("r" + rule, limits).cost(cost)).build());
        refusals += keepsItsWord(uri, "seed " + seed + ", rule " + limits + " cost " + cost);
      }
    }
    assertThat(refusals).isGreaterThanOrEqualTo(REFUSALS);
  }

  private String limits() {
    String first = limit(1 + random.nextInt(6));
    return random.nextInt(3) == 0
        ? first + "; " + limit(8 + random.nextInt(8)) + " named x"
        : first;
  }

  private String limit(int amount) {
    String unit = UNITS[random.nextInt(UNITS.length)];
    String kind = KINDS[random.nextInt(KINDS.length)];
    return amount + " per " + unit + kind;
  }

  /** Uses a rule up, three times over; answers how many refusals were looked at. */
  private int keepsItsWord(URI uri, String as) throws Exception {
    int refusals = 0;
    for (int round = 0; round < 3; round++) {
      HttpResponse<String> response = get(uri, as);
      while (response.statusCode() == 200) {
        time.advanceMicros(random.nextInt(3) == 0 ? random.nextLong(1_500_000) : 0);
        response = get(uri, as);
      }
      assertThat(response.statusCode()).as(as).isEqualTo(429);
      refusals++;
      if (response.headers().firstValue("Retry-After").isEmpty()) {
        assertThat(store.get().neverFits()).as(as).isTrue();
        return refusals;
      }
      long seconds = response.headers().firstValueAsLong("Retry-After").orElseThrow();
      time.advance(Duration.ofSeconds(seconds - 1));
      assertThat(get(uri, as).statusCode())
          .as("%s: a second before %s", as, seconds)
          .isEqualTo(429);
      refusals++;
      time.advance(Duration.ofSeconds(1));
      assertThat(get(uri, as).statusCode()).as("%s: after %s s", as, seconds).isEqualTo(200);
    }
    return refusals;
  }

  /** Sends a request, and compares the answer with the decision that was made. */
  private HttpResponse<String> get(URI uri, String as) throws Exception {
    int before = handled.get();
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    Decision decision = store.get();
    assertThat(response.statusCode() == 200).as(as).isEqualTo(decision.allowed());
    assertThat(handled.get() - before).as(as).isEqualTo(decision.allowed() ? 1 : 0);
    ListElement<?> told = list(response, "RateLimit").get(0);
    assertThat(integer(told, "r")).as(as).isEqualTo(decision.remaining());
    assertThat(integer(told, "t"))
        .as(as)
        .isEqualTo(decision.nextAfter().map(HonestHeadersTest::roundedUp).orElse(null));
    List<ListElement<?>> policies = list(response, "RateLimit-Policy");
    ListElement<?> policy =
        policies.stream().filter(one -> one.get().equals(told.get())).findFirst().orElseThrow();
    assertThat(integer(policy, "q")).as(as).isEqualTo(decision.amount());
    assertThat(integer(policy, "w")).as(as).isEqualTo(roundedUp(decision.limit().window()));
    assertThat(policies).as(as).hasSameSizeAs(decision.limits());
    assertThat(response.headers().firstValue("Retry-After").map(Long::valueOf).orElse(null))
        .as(as)
        .isEqualTo(retryAfter(decision));
    return response;
  }

  private static Long retryAfter(Decision decision) {
    boolean told = !decision.allowed() && !decision.neverFits();
    return told ? (Long) Math.max(1, roundedUp(decision.retryAfter())) : null;
  }

  private static Long roundedUp(Duration duration) {
    return duration.plusNanos(999_999_999).toSeconds();
  }

  private static List<ListElement<?>> list(HttpResponse<?> response, String name) {
    OuterList list = Parser.parseList(String.join(", ", response.headers().allValues(name)));
    return List.copyOf(list.get());
  }

  private static Long integer(ListElement<?> element, String parameter) {
    Object value = element.getParams().get(parameter);
    return value == null ? null : (Long) ((IntegerItem) value).getAsLong();
  }

  /** A filter that is another one whenever the test says so. */
  private static final class Changeable implements Filter {
    private volatile Filter current;

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      current.doFilter(request, response, chain);
    }
  }
}
