package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.TimeSource;
import dev.stint.server.engine.Engine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the dashboard is told. Once a second the counters are read; only if somebody watches, a
 * snapshot is made of them, one for all.
 */
final class Snapshots {

  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

  /** What somebody who comes to watch is told first. */
  record Opening(String history, String snapshot) {}

  private final Engine engine;
  private final Metrics metrics;
  private final TimeSource time;
  private final History history;
  private final Recent all;
  private final Durations durations = new Durations();
  private final SnapshotJson json;
  private List<Roster.Line> lines = List.of();
  private @Nullable String latest;
  private long latestNanos;
  private long made;

  Snapshots(Engine engine, Metrics metrics, boolean writable, IntSupplier httpPort) {
    this.engine = engine;
    this.metrics = metrics;
    this.time = engine.stores().time();
    long micros = time.micros();
    this.history = new History(millis(micros));
    this.all = new Recent(micros);
    this.json = new SnapshotJson(engine, metrics, millis(micros), writable, httpPort);
  }

  /** By the clock of the stores, as everything else that is told. */
  private long millis(long micros) {
    return TimeUnit.MICROSECONDS.toMillis(time.wall(micros));
  }

  /** Reads the counters. */
  synchronized void tick() {
    engine.exceptions().clean();
    long micros = time.micros();
    lines = Roster.of(engine.policies(), metrics);
    history.tick(micros, millis(micros), lines);
    List<Meters> meters = meters();
    durations.tick(meters, metrics.retired());
    Counts sum = metrics.retired().counts();
    for (Meters one : meters) {
      sum = sum.plus(one.counts());
    }
    all.add(new Recent.Sample(micros, sum, 0, 0));
  }

  /** All that count. */
  private List<Meters> meters() {
    List<Meters> meters = new ArrayList<>(metrics.policies().values());
    for (String domain : metrics.rules().domains()) {
      meters.addAll(metrics.rules().of(domain).values());
    }
    return meters;
  }

  /** What the counters said when they were read last. */
  synchronized String snapshot() {
    made++;
    String text = json.of(millis(all.newest().micros()), all, durations, history, lines);
    latest = text;
    latestNanos = System.nanoTime();
    return text;
  }

  /** The past and the present, as of the same moment. */
  synchronized Opening opening() {
    String present = latest;
    if (present == null || System.nanoTime() - latestNanos > FRESH) {
      tick();
      present = snapshot();
    }
    return new Opening(Json.of(this::writeHistory), present);
  }

  private void writeHistory(JsonGenerator page) throws IOException {
    page.writeNumberField("now", millis(all.newest().micros()));
    history.write(page, SnapshotJson.shown(lines));
  }

  /** How many were made. */
  synchronized long made() {
    return made;
  }
}
