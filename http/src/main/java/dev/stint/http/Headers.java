package dev.stint.http;

import dev.stint.Decision;
import dev.stint.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions as header fields. The numbers are those of the part that decides, in whole
 * seconds rounded up: who comes back then is not too early.
 */
final class Headers {

  private static final int JITTER_PARTS = 10;
  private static final long MOST_JITTER_SECONDS = 30;
  private static final int PARTITION_BYTES = 6;

  private final TimeSource time;
  private final boolean jitter;
  private final boolean partitionKeys;

  Headers(TimeSource time, boolean jitter, boolean partitionKeys) {
    this.time = time;
    this.jitter = jitter;
    this.partitionKeys = partitionKeys;
  }

  /** Writes the parts that clients are told of, each in the form of its rule. */
  void write(List<Part> parts, BiConsumer<String, String> header) {
    if (parts.isEmpty()) {
      return;
    }
    if (areToldAlike(parts)) {
      write(parts.get(0).rule().format(), parts, header);
      return;
    }
    for (HeaderFormat format : HeaderFormat.values()) {
      List<Part> told =
          parts.stream().filter(part -> part.isTold() && part.rule().format() == format).toList();
      if (!told.isEmpty()) {
        write(format, told, header);
      }
    }
  }

  private static boolean areToldAlike(List<Part> parts) {
    HeaderFormat format = parts.get(0).rule().format();
    for (int i = 0; i < parts.size(); i++) {
      if (!parts.get(i).isTold() || parts.get(i).rule().format() != format) {
        return false;
      }
    }
    return true;
  }

  private void write(HeaderFormat format, List<Part> parts, BiConsumer<String, String> header) {
    Part deciding = Part.deciding(parts);
    if (deciding == null) {
      return;
    }
    switch (format) {
      case IETF -> ietf(deciding, parts, header);
      case LEGACY -> legacy(deciding.decision(), header);
      case GITHUB -> github(deciding.decision(), header);
      case NONE -> {}
    }
  }

  private void ietf(Part deciding, List<Part> parts, BiConsumer<String, String> header) {
    header.accept("RateLimit-Policy", policies(parts));
    Decision decision = deciding.decision();
    StringBuilder field = new StringBuilder(48);
    field.append('"').append(deciding.policy().name());
    field.append("\";r=").append(Policy.digits(decision.remaining()));
    Duration next = decision.nextAfter().orElse(Decision.NEVER);
    if (!next.equals(Decision.NEVER)) {
      field.append(";t=").append(Policy.digits(Policy.seconds(next)));
    }
    field.append(partitionKey(deciding));
    header.accept("RateLimit", field.toString());
  }

  private String policies(List<Part> parts) {
    if (!partitionKeys && isOneRuleAsConfigured(parts)) {
      return parts.get(0).rule().policyField();
    }
    List<String> fields = new ArrayList<>();
    for (Part part : parts) {
      fields.add(part.policy().field(part.decision().limit()) + partitionKey(part));
    }
    return String.join(", ", fields);
  }

  private static boolean isOneRuleAsConfigured(List<Part> parts) {
    RuleInForce rule = parts.get(0).rule();
    for (int i = 0; i < parts.size(); i++) {
      if (!parts.get(i).isPlainlyOf(rule)) {
        return false;
      }
    }
    return parts.size() == rule.policies().size();
  }

  /** A part of a hash of the key, if it was asked for. */
  private String partitionKey(Part part) {
    if (!partitionKeys) {
      return "";
    }
    byte[] some = Arrays.copyOf(StoredKey.hash(part.key().toString()), PARTITION_BYTES);
    return ";pk=:" + Base64.getEncoder().encodeToString(some) + ":";
  }

  private static void legacy(Decision decision, BiConsumer<String, String> header) {
    header.accept("RateLimit-Limit", Long.toString(decision.amount()));
    header.accept("RateLimit-Remaining", Long.toString(decision.remaining()));
    secondsToNext(decision)
        .ifPresent(seconds -> header.accept("RateLimit-Reset", Long.toString(seconds)));
  }

  private void github(Decision decision, BiConsumer<String, String> header) {
    header.accept("X-RateLimit-Limit", Long.toString(decision.amount()));
    header.accept("X-RateLimit-Remaining", Long.toString(decision.remaining()));
    header.accept("X-RateLimit-Used", Long.toString(decision.used()));
    Duration next = decision.nextAfter().orElse(Duration.ZERO);
    if (!next.equals(Decision.NEVER)) {
      Duration now = Duration.ofNanos(Math.multiplyExact(time.wall(time.micros()), 1000L));
      header.accept("X-RateLimit-Reset", Long.toString(Policy.seconds(now.plus(next))));
    }
  }

  /** Seconds until more is free: none to wait if all is, empty if that never happens. */
  private static OptionalLong secondsToNext(Decision decision) {
    Duration next = decision.nextAfter().orElse(Duration.ZERO);
    return next.equals(Decision.NEVER)
        ? OptionalLong.empty()
        : OptionalLong.of(Policy.seconds(next));
  }

  /** The seconds of {@code Retry-After}: one at least, and not before more is free at all. */
  OptionalLong retryAfter(@Nullable Part deciding) {
    if (deciding == null || deciding.decision().neverFits()) {
      return OptionalLong.empty();
    }
    Decision decision = deciding.decision();
    long wait = Math.max(1, Policy.seconds(decision.retryAfter()));
    long seconds = Math.max(wait, secondsToNext(decision).orElse(0));
    return OptionalLong.of(jitter ? seconds + jitterFor(seconds) : seconds);
  }

  /** Only ever later, so that whoever obeys is not too early. */
  private static long jitterFor(long seconds) {
    long most = Math.min(seconds / JITTER_PARTS, MOST_JITTER_SECONDS);
    return ThreadLocalRandom.current().nextLong(most + 1);
  }
}
