package dev.stint.server.rls;

import com.google.protobuf.Duration;
import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.TimeSource;
import dev.stint.rls.RateLimitResponse;
import dev.stint.rls.RateLimitResponse.Code;
import dev.stint.rls.RateLimitResponse.DescriptorStatus;
import dev.stint.server.rls.tree.RlsRule;
import org.jspecify.annotations.Nullable;

/** Tells decisions in Envoy's words. */
final class Statuses {

  private static final long MOST = 0xffff_ffffL;
  private static final long MICROS = 1_000_000;
  private static final int REMEMBERED = 3601;

  /** Of a descriptor without a rule. */
  static final DescriptorStatus NO_RULE = DescriptorStatus.newBuilder().setCode(Code.OK).build();

  private static final DescriptorStatus UNLIMITED =
      DescriptorStatus.newBuilder().setCode(Code.OK).setLimitRemaining((int) MOST).build();

  private static final Duration[] SECONDS = new Duration[REMEMBERED];

  static {
    for (int i = 0; i < REMEMBERED; i++) {
      SECONDS[i] = Duration.newBuilder().setSeconds(i).build();
    }
  }

  private final TimeSource time;

  Statuses(TimeSource time) {
    this.time = time;
  }

  /** The whole answer of a request with one descriptor. */
  static RateLimitResponse alone(DescriptorStatus status) {
    return RateLimitResponse.newBuilder()
        .setOverallCode(status.getCode())
        .addStatuses(status)
        .build();
  }

  /** The status of a rule that has no limit: all or nothing passes. */
  DescriptorStatus ofFixed(RlsRule rule) {
    if (rule.unlimited()) {
      return UNLIMITED;
    }
    return DescriptorStatus.newBuilder()
        .setCode(rule.shadow() ? Code.OK : Code.OVER_LIMIT)
        .setCurrentLimit(rule.told())
        .setDurationUntilReset(seconds(untilWindowEnds(rule.window())))
        .build();
  }

  /**
   * The status of a rule.
   *
   * @param answer null if the store could not be told of a refund
   */
  DescriptorStatus of(RlsRule rule, @Nullable Decision answer) {
    DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCurrentLimit(rule.told());
    if (answer == null) {
      return status.setCode(Code.OK).build();
    }
    boolean over = !answer.allowed();
    status.setCode(over && !rule.shadow() ? Code.OVER_LIMIT : Code.OK);
    if (!over || !rule.shadow()) {
      status.setLimitRemaining((int) Math.min(answer.remaining(), MOST));
    }
    if (answer.limit().kind() != Limit.Kind.QUOTA) {
      status.setDurationUntilReset(seconds(untilReset(answer)));
    }
    return status.build();
  }

  /** Of a window of the clock its end, also if nobody has opened it yet. */
  private java.time.Duration untilReset(Decision answer) {
    java.time.Duration reset = answer.resetAfter();
    boolean ofClock = answer.limit().kind() == Limit.Kind.FIXED_WINDOW;
    return ofClock && reset.isZero() ? untilWindowEnds(answer.limit().window()) : reset;
  }

  private java.time.Duration untilWindowEnds(java.time.Duration window) {
    long micros = window.toSeconds() * MICROS;
    long rest = micros - Math.floorMod(time.micros(), micros);
    return java.time.Duration.ofNanos(rest * 1000);
  }

  /** Whole seconds, rounded up: Envoy makes a header of them and drops what is behind the point. */
  private static Duration seconds(java.time.Duration wait) {
    long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
    return seconds >= 0 && seconds < REMEMBERED
        ? SECONDS[(int) seconds]
        : Duration.newBuilder().setSeconds(seconds).build();
  }
}
