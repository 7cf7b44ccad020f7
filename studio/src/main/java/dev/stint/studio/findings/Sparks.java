package dev.stint.studio.findings;

import dev.stint.studio.cli.Ink;
import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Timeline;
import java.util.Arrays;
import java.util.Locale;

/** Timelines drawn in one line each, all of them on the axis and the scale of what arrived. */
final class Sparks {

  private static final int GAP = 2;
  private static final String REFUSED = "refused";

  private final Ink ink;
  private final int width;

  Sparks(Ink ink, int width) {
    this.ink = ink;
    this.width = width;
  }

  /** What arrived, and below it of each lane what was admitted and what was refused. */
  String of(Findings findings) {
    int names = REFUSED.length() + GAP;
    for (Findings.Lane lane : findings.lanes()) {
      names = Math.max(names, lane.name().length());
    }
    Timeline arrived = findings.arrived();
    int room = Math.max(1, width - names - GAP);
    int each = Math.max(1, (arrived.size() + room - 1) / room);
    long most = Math.max(1, Arrays.stream(grouped(arrived, each)).max().orElse(1));
    StringBuilder text = new StringBuilder();
    String scale =
        "a column is " + Span.about(each * arrived.step()) + ", the highest " + Figures.count(most);
    text.append(ink.faint(label("", names) + scale)).append('\n');
    text.append(label("arrived", names)).append(bars(arrived, each, most)).append('\n');
    for (Findings.Lane lane : findings.lanes()) {
      String admitted = ink.admitted(bars(lane.admittedOverTime(), each, most));
      text.append(ink.title(label(lane.name(), names))).append(admitted).append('\n');
      if (lane.refused() > 0) {
        String label = label(" ".repeat(names - REFUSED.length()) + REFUSED, names);
        String refused = ink.refused(bars(lane.refusedOverTime(), each, most));
        text.append(ink.faint(label)).append(refused).append('\n');
      }
    }
    return text.toString().replaceAll(" +\n", "\n");
  }

  /** When a key was refused, on a scale of its own; nothing if that is not known or has no room. */
  String of(Findings.Offender offender, int room) {
    Timeline times = offender.refusedOverTime().orElse(null);
    if (times == null || room < GAP + 1) {
      return "";
    }
    int each = Math.max(1, (times.size() + room - 1) / room);
    long most = Math.max(1, Arrays.stream(grouped(times, each)).max().orElse(1));
    return bars(times, each, most);
  }

  private static String label(String name, int names) {
    return String.format(Locale.ROOT, "%-" + (names + GAP) + "s", name);
  }

  private String bars(Timeline times, int each, long most) {
    StringBuilder line = new StringBuilder();
    for (long n : grouped(times, each)) {
      line.append(n <= 0 ? " " : ink.bar(Math.min(n, most), most));
    }
    return line.toString();
  }

  private static long[] grouped(Timeline times, int each) {
    long[] sums = new long[(times.size() + each - 1) / each];
    for (int i = 0; i < times.size(); i++) {
      sums[i / each] += times.at(i);
    }
    return sums;
  }
}
