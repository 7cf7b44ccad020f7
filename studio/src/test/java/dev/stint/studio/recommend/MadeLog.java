package dev.stint.studio.recommend;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.log.Sink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log that was never written. Keys are numbered as they come, as a reader of files does it. */
final class MadeLog implements Log {

  record Request(long micros, String client, long cost) {}

  private final List<Request> requests = new ArrayList<>();
  private int readings;
  private int stopAfterReadings = Integer.MAX_VALUE;
  private int shrinkAfterReadings = Integer.MAX_VALUE;

  /** A request, in any order. */
  MadeLog add(long micros, String client, long cost) {
    requests.add(new Request(micros, client, cost));
    return this;
  }

  /** Somebody presses Ctrl-C at the end of this reading. */
  MadeLog stopAfter(int readings) {
    this.stopAfterReadings = readings;
    return this;
  }

  /** It is cut to half after this reading. */
  MadeLog shrinkAfter(int readings) {
    this.shrinkAfterReadings = readings;
    return this;
  }

  int readings() {
    return readings;
  }

  List<Request> requests() {
    requests.sort(Comparator.comparingLong(Request::micros));
    return requests;
  }

  @Override
  public Reading open() {
    return new Once();
  }

  @Override
  public void close() {}

  private final class Once implements Reading {

    private final Map<String, Integer> keys = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long lines;

    @Override
    public String recognised() {
      return "made up";
    }

    @Override
    public void read(Sink sink, Progress progress, Interruption interruption) {
      int size = requests().size() / (readings >= shrinkAfterReadings ? 2 : 1);
      for (Request one : requests().subList(0, size)) {
        if (interruption.isWanted()) {
          break;
        }
        int key =
            keys.computeIfAbsent(
                one.client,
                name -> {
                  names.add(name);
                  return keys.size();
                });
        lines++;
        sink.request(one.micros, key, one.cost);
      }
      if (++readings == stopAfterReadings) {
        interruption.now();
      }
    }

    @Override
    public String nameOf(int key) {
      return names.get(key);
    }

    @Override
    public Findings.Source source() {
      return new Findings.Source(
          "made.log", "made", "ip", lines, 0, 0, Optional.empty(), List.of());
    }

    @Override
    public void close() {}
  }
}
