package dev.stint.benchmarks.server;

import java.io.IOException;
import java.util.Locale;

/** Tells how busy others kept the machine while a run was made. */
final class Load {

  /** Above this many processors the figures are doubtful. */
  private static final double BUSY = 0.2;

  private final long begin = System.nanoTime();
  private final Proc.Machine machine = Proc.Machine.now();
  private final double own = Proc.ownCpuSeconds();

  Load() throws IOException {}

  /** In words; all servers must have ended. */
  String sofar() throws IOException {
    double seconds = (System.nanoTime() - begin) / 1e9;
    Proc.Machine now = Proc.Machine.now();
    double ours = Proc.ownCpuSeconds() - own;
    return words(
        (now.busy() - machine.busy() - ours) / seconds,
        (now.stolen() - machine.stolen()) / seconds);
  }

  static String words(double others, double stolen) {
    return String.format(
        Locale.ROOT,
        "others kept %.2f processors busy, %.2f were taken away%s",
        Math.max(0, others),
        stolen,
        others + stolen > BUSY ? ": do not trust this" : "");
  }
}
