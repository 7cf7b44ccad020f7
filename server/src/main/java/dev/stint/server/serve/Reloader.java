package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Tls;
import dev.stint.server.serve.ReloadLog.Part;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Puts a changed configuration in force if it is a good one; otherwise the old one stays, and the
 * log says why.
 *
 * <p>It looks at the files once in a period, which works on every file system, with links and with
 * directories. A change is taken at the second of two looks that saw the same, so that a file that
 * is still being written is left alone. A writer that pauses for longer than a period can still be
 * caught in the middle; {@link RemovalCheck} keeps what that could do harmless.
 */
public final class Reloader implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.stint.server.reload");

  /** After so many looks in a row that all saw something else, the log says so. */
  private static final int RESTLESS = 30;

  /** What takes a new configuration. It must take all of it, or throw and keep the old one. */
  public interface Target {

    /** Puts policies, domains, clients and the token of the administration in force. */
    void reload(Configuration configuration);

    /** Reads the certificates again. */
    void reloadCertificates();
  }

  private final Supplier<Reading> reader;
  private final Target target;
  private final ReloadLog log = new ReloadLog();
  private final Configuration started;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Reloader::daemon);

  // Only the thread that looks uses these.
  private final FileWatch files;
  private final FileWatch certificates;
  private Reading current;
  private List<Mistake> told = List.of();
  private int changing;
  private boolean hasLoadedCertificates;

  /**
   * Watches what {@code first} was read from.
   *
   * @param reader reads it again
   */
  public Reloader(Reading first, Supplier<Reading> reader, Target target) {
    this.reader = reader;
    this.target = target;
    this.started = first.configuration();
    this.current = first;
    this.files = new FileWatch(first.sources());
    this.certificates = new FileWatch(certificatesOf(first.configuration()));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "stint-reload");
    thread.setDaemon(true);
    return thread;
  }

  private static List<Path> certificatesOf(Configuration configuration) {
    List<Path> paths = new ArrayList<>();
    for (Listener listener : configuration.listeners().byWire().values()) {
      Tls tls = listener.tls();
      if (tls != null && listener.isOn()) {
        paths.add(tls.certificate());
        paths.add(tls.key());
        if (tls.clientCa() != null) {
          paths.add(tls.clientCa());
        }
      }
    }
    return paths;
  }

  /** Looks once in every period from now on. */
  public Reloader every(Duration period) {
    Future<?> looking =
        clock.scheduleWithFixedDelay(
            this::look, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    if (looking.isCancelled()) {
      throw new IllegalStateException("closed");
    }
    return this;
  }

  /**
   * Looks now, and returns when the look is over. A change that was there at the look before, too,
   * is then in force or refused.
   */
  public void lookNow() {
    try {
      clock.submit(this::look).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What has come of it so far. */
  public ReloadLog log() {
    return log;
  }

  private void look() {
    try {
      lookAtFiles();
      lookAtCertificates();
    } catch (RuntimeException e) { // the next look must come whatever happens
      fail(
          Part.CONFIGURATION,
          "the configuration was not reloaded, the old one stays in force: " + e);
    }
  }

  private void lookAtFiles() {
    switch (files.look()) {
      case UNCHANGED -> changing = 0;
      case CHANGING -> {
        files.add(reader.get().sources()); // files that it names for the first time
        noteRestless();
      }
      case SETTLED -> {
        Reading reading = reader.get();
        files.add(reading.sources());
        if (files.hasChanged()) { // while it was read
          noteRestless();
        } else {
          changing = 0;
          judge(reading);
        }
      }
    }
  }

  private void noteRestless() {
    if (++changing == RESTLESS) {
      fail(
          Part.CONFIGURATION,
          "the files of the configuration must be the same at two looks in a row, and have changed"
              + " at each of the last "
              + RESTLESS
              + "; the old configuration stays in force");
    }
  }

  private void judge(Reading reading) {
    List<Mistake> mistakes =
        reading.isGood() ? RemovalCheck.of(current, reading) : reading.mistakes();
    if (mistakes.isEmpty()) {
      files.retain(reading.sources());
      take(reading);
    } else {
      refuse(mistakes); // and watch the files of both: one that is missing now may come back
    }
  }

  private void take(Reading reading) {
    Configuration next = reading.configuration();
    Configuration before = current.configuration();
    if (next.equals(before) && !log.isInTrouble(Part.CONFIGURATION)) {
      current = reading;
      return; // touched, not changed
    }
    target.reload(next);
    current = reading;
    told = List.of();
    log.succeeded(Part.CONFIGURATION);
    LOG.log(
        Level.INFO,
        "configuration reloaded; policies: {0}, domains: {1}; {2}",
        next.policies().size(),
        next.rls().domains().size(),
        PolicyChanges.between(before.policies(), next.policies()));
    tellRestart(RestartParts.between(started, next));
  }

  private void tellRestart(Set<RestartParts> parts) {
    boolean wasNeeded = log.isRestartNeeded();
    log.restartNeeded(parts);
    if (!parts.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "a restart is needed for the changes of {0}; until then the old values stay in force",
          String.join(", ", parts.stream().map(RestartParts::key).toList()));
    } else if (wasNeeded) {
      LOG.log(Level.INFO, "no restart is needed any more; all of the configuration is in force");
    }
  }

  private void refuse(List<Mistake> mistakes) {
    if (mistakes.equals(told)) {
      return;
    }
    told = mistakes;
    for (Mistake mistake : told) {
      LOG.log(Level.ERROR, "{0}", mistake);
    }
    log.failed(Part.CONFIGURATION, told.get(0).toString());
    LOG.log(Level.ERROR, "the configuration was not reloaded, the old one stays in force");
  }

  private void fail(Part part, String reason) {
    log.failed(part, reason);
    LOG.log(Level.ERROR, "{0}", reason);
  }

  private void lookAtCertificates() {
    if (certificates.look() != FileWatch.Finding.SETTLED) {
      return;
    }
    try {
      target.reloadCertificates();
    } catch (RuntimeException e) {
      fail(
          Part.CERTIFICATES,
          "the certificates were not reloaded, the old ones stay in force: " + e.getMessage());
      return;
    }
    if (hasLoadedCertificates || log.isInTrouble(Part.CERTIFICATES)) {
      log.succeeded(Part.CERTIFICATES);
      LOG.log(Level.INFO, "certificates reloaded");
    }
    hasLoadedCertificates = true; // the first time they may be those of the start
  }

  /** Looks no more. */
  @Override
  public void close() {
    clock.shutdownNow();
  }
}
