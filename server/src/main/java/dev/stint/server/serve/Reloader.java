package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Place;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Tls;
import dev.stint.server.serve.ReloadLog.Part;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Puts a configuration in force when its files change, if it is a good one; otherwise the old one
 * stays, and the log says why.
 *
 * <p>It looks at the files again and again, which works on every file system, with links and with
 * directories. A file that is caught half-written is refused, and read again when it changes next.
 */
public final class Reloader implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.stint.server.reload");

  /** What takes a new configuration. It must take all of it, or throw and keep the old one. */
  public interface Target {

    /** Puts policies, domains and clients in force. */
    void reload(Configuration configuration);

    /** Reads the certificates again. */
    void reloadCertificates();
  }

  private final Supplier<Reading> reader;
  private final Target target;
  private final ReloadLog log = new ReloadLog();
  private final Configuration started;
  private final List<Path> certificates;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Reloader::daemon);

  // Of these, only the thread that looks knows. The first look finds everything changed: a file may
  // have been written between the start and that look.
  private Configuration current;
  private Set<Path> sources;
  private FileMarks seen = FileMarks.none();
  private FileMarks seenCertificates = FileMarks.none();
  private List<Mistake> told = List.of();
  private boolean hasLooked;

  /**
   * Watches what {@code first} was read from.
   *
   * @param reader reads it again
   */
  public Reloader(Reading first, Supplier<Reading> reader, Target target) {
    this.reader = reader;
    this.target = target;
    this.started = first.configuration();
    this.current = first.configuration();
    this.sources = first.sources();
    this.certificates = certificatesOf(first.configuration());
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "stint-reload");
    thread.setDaemon(true);
    return thread;
  }

  private static List<Path> certificatesOf(Configuration configuration) {
    List<Path> files = new ArrayList<>();
    for (Listener listener : configuration.listeners().byWire().values()) {
      Tls tls = listener.tls();
      if (tls != null && listener.isOn()) {
        files.add(tls.certificate());
        files.add(tls.key());
        if (tls.clientCa() != null) {
          files.add(tls.clientCa());
        }
      }
    }
    return files;
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

  /** Looks now, and returns when what has changed is in force or refused. */
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
    hasLooked = true;
  }

  private void lookAtFiles() {
    FileMarks now = FileMarks.of(sources, seen);
    if (now.isSameAs(seen)) {
      return;
    }
    seen = now;
    Reading reading = reader.get();
    if (!reading.isGood()) {
      refuse(reading, reading.mistakes());
    } else if (reading.isEmpty() && !reading.configuration().equals(current)) {
      refuse(reading, List.of(emptied(reading)));
    } else {
      sources = reading.sources();
      take(reading.configuration());
    }
  }

  /** Whoever writes a file may empty it first; its clients and policies are not gone for that. */
  private static Mistake emptied(Reading reading) {
    String file =
        reading.sources().stream()
            .filter(source -> !Files.isDirectory(source))
            .map(Path::toString)
            .findFirst()
            .orElse("the configuration");
    return new Mistake(
        new Place(file, 0, 0),
        "must not become empty or go away while the service runs; write it again, or restart"
            + " without it");
  }

  private void take(Configuration next) {
    boolean isRecovery = log.isInTrouble(Part.CONFIGURATION);
    if (next.equals(current) && !isRecovery) {
      return; // touched, not changed
    }
    target.reload(next);
    String changes = PolicyChanges.between(current.policies(), next.policies());
    current = next;
    told = List.of();
    log.succeeded(Part.CONFIGURATION);
    LOG.log(
        Level.INFO,
        "configuration reloaded; policies: {0}, domains: {1}; {2}",
        next.policies().size(),
        next.rls().domains().size(),
        changes);
    List<String> parts = needingRestart(next);
    if (!parts.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "changes of {0} need a restart; until then the old ones stay in force",
          String.join(", ", parts));
    }
  }

  private List<String> needingRestart(Configuration next) {
    List<String> parts = new ArrayList<>();
    note(parts, "store", started.store(), next.store());
    note(parts, "listeners", started.listeners(), next.listeners());
    note(parts, "bounds", started.bounds(), next.bounds());
    note(parts, "telemetry", started.telemetry(), next.telemetry());
    note(parts, "rls.deadline", started.rls().deadline(), next.rls().deadline());
    return parts;
  }

  private static void note(List<String> parts, String name, Object before, Object after) {
    if (!before.equals(after)) {
      parts.add(name);
    }
  }

  private void refuse(Reading reading, List<Mistake> mistakes) {
    Set<Path> both = new LinkedHashSet<>(sources); // a source that is missing now may come back
    both.addAll(reading.sources());
    sources = both;
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
    FileMarks now = FileMarks.of(certificates, seenCertificates);
    if (now.isSameAs(seenCertificates)) {
      return;
    }
    seenCertificates = now;
    try {
      target.reloadCertificates();
    } catch (RuntimeException e) {
      fail(
          Part.CERTIFICATES,
          "the certificates were not reloaded, the old ones stay in force: " + e.getMessage());
      return;
    }
    if (hasLooked) {
      log.succeeded(Part.CERTIFICATES);
      LOG.log(Level.INFO, "certificates reloaded");
    }
  }

  /** Looks no more. */
  @Override
  public void close() {
    clock.shutdownNow();
  }
}
