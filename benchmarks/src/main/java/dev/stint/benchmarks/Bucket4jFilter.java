package dev.stint.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Bucket4j before a servlet, as it is used there: a map of buckets, and what is left as a header.
 */
final class Bucket4jFilter implements Filter {

  private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String key = ((HttpServletRequest) request).getHeader(HttpContestant.KEY_HEADER);
    Bucket bucket = buckets.computeIfAbsent(key, k -> bucket());
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    HttpServletResponse answer = (HttpServletResponse) response;
    if (probe.isConsumed()) {
      answer.setHeader("X-Rate-Limit-Remaining", Long.toString(probe.getRemainingTokens()));
      chain.doFilter(request, response);
    } else {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill());
      answer.setStatus(429);
      answer.setHeader("X-Rate-Limit-Retry-After-Seconds", Long.toString(seconds));
    }
  }

  private static Bucket bucket() {
    return Bucket.builder()
        .addLimit(
            limit ->
                limit
                    .capacity(HttpContestant.AMOUNT)
                    .refillGreedy(HttpContestant.AMOUNT, Duration.ofMinutes(1)))
        .build();
  }
}
