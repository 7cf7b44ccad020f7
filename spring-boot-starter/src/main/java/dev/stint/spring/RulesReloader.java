package dev.stint.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Puts the rules of changed properties in force, if they can be used; otherwise the old ones stay,
 * and log, health, endpoint and an event say why.
 *
 * <p>A file is looked at once in a period. A change is taken at the second of two looks that saw
 * the same, so that a file that is still being written is left alone.
 */
final class RulesReloader implements AutoCloseable {

  private static final Log LOG = LogFactory.getLog(RulesReloader.class);

  private final StintProperties started;
  private final PropertiesReader reader;
  private final Function<StintProperties, RulesInForce> maker;
  private final ApplicationEventPublisher events;
  private final HttpLimiters limiters;
  private volatile @Nullable String problem;
  private @Nullable ScheduledExecutorService clock;

  // Guarded by this.
  private StintProperties current;
  private byte @Nullable [] taken;
  private byte @Nullable [] seen;

  /**
   * Makes the first rules, with the file if there is one.
   *
   * @param started what the application was started with
   */
  RulesReloader(
      StintProperties started,
      PropertiesReader reader,
      Function<StintProperties, RulesInForce> maker,
      ApplicationEventPublisher events) {
    this.started = started;
    this.reader = reader;
    this.maker = maker;
    this.events = events;
    if (started.reload().file() == null) {
      current = started;
    } else {
      taken = reader.content();
      seen = taken;
      current = reader.read(taken);
      tellFixed();
    }
    limiters = new HttpLimiters(maker.apply(current));
  }

  /** The rules, which this replaces. */
  HttpLimiters limiters() {
    return limiters;
  }

  /** Why the properties as they are now are not in force; empty if they are. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Looks at the file once in a period from now on. */
  synchronized RulesReloader every(Duration period) {
    ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(this::daemon);
    clock = looking;
    var unused =
        looking.scheduleWithFixedDelay(
            this::lookAndGoOn, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    return this;
  }

  private Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "stint-reload");
    thread.setDaemon(true);
    return thread;
  }

  /** A look that fails must not be the last: the executor would make no other one. */
  private void lookAndGoOn() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      LOG.error("A look for changed rate limit rules failed; the next one is not affected.", e);
    }
  }

  /** Looks at the file, and takes what the last look saw too. */
  synchronized void look() {
    byte[] now = reader.content();
    boolean settled = Arrays.equals(now, seen);
    seen = now;
    if (settled && !Arrays.equals(now, taken)) {
      taken = now;
      reload();
    }
  }

  /**
   * Reads the properties again; if they have changed, puts their rules in force or says why not.
   */
  synchronized void reload() {
    try {
      StintProperties next = reader.read(taken);
      if (next.equals(current) && problem == null) {
        return;
      }
      limiters.replace(maker.apply(next));
      current = next;
    } catch (RuntimeException | Error e) { // whatever it is, the rules in force stay
      refuse(reason(e));
      return;
    }
    problem = null;
    LOG.info("The rate limit rules were reloaded: " + current.rules().keySet());
    tellFixed();
    publish(null);
  }

  private void refuse(String reason) {
    if (reason.equals(problem)) {
      return; // told already
    }
    problem = reason;
    LOG.error("The rate limit rules were not reloaded, the old ones stay in force: " + reason);
    publish(reason);
  }

  private static String reason(Throwable failure) {
    FailureAnalysis unknown = new UnknownPropertyAnalyzer().analyze(failure);
    if (unknown != null) {
      return unknown.getDescription();
    }
    Throwable deepest = failure;
    while (!(deepest instanceof WrongPropertyException) && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest == failure || deepest instanceof WrongPropertyException
        ? String.valueOf(deepest.getMessage())
        : failure.getMessage() + ": " + deepest.getMessage();
  }

  private void publish(@Nullable String reason) {
    try {
      events.publishEvent(new RulesReloadEvent(this, reason));
    } catch (RuntimeException | Error e) {
      LOG.warn("A listener of a reload of rate limit rules failed.", e);
    }
  }

  /** Says which changes have no effect until the application is started again. */
  private void tellFixed() {
    List<String> fixed = new ArrayList<>();
    note(fixed, "enabled", started.enabled(), current.enabled());
    note(fixed, "store", started.store(), current.store());
    note(fixed, "on-store-error", started.onStoreError(), current.onStoreError());
    note(fixed, "instances", started.instances(), current.instances());
    note(fixed, "memory", started.memory(), current.memory());
    note(fixed, "redis", started.redis(), current.redis());
    note(fixed, "events", started.events(), current.events());
    note(fixed, "observations", started.observations(), current.observations());
    note(fixed, "reload", started.reload(), current.reload());
    if (!fixed.isEmpty()) {
      LOG.warn("A restart is needed for the changes of " + String.join(", ", fixed) + ".");
    }
  }

  private static void note(List<String> fixed, String name, Object before, Object after) {
    if (!Objects.equals(before, after)) {
      fixed.add("stint." + name);
    }
  }

  /** Looks no more. */
  @Override
  public synchronized void close() {
    if (clock != null) {
      clock.shutdownNow();
    }
  }
}
