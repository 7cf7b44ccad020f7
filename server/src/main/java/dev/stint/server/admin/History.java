package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The last quarter of an hour in columns of five seconds, a track for each that decides.
 *
 * <p>It reads counters once a second, so that its cost has nothing to do with traffic.
 */
final class History {

  static final int COLUMNS = 180;
  static final long STEP = TimeUnit.SECONDS.toMillis(5);

  /** Details of descriptors may be many; those beyond have no timeline. */
  private static final int MOST_TRACKS = 300;

  private final Map<String, Track> tracks = new HashMap<>();
  private long column;

  /** Whether some have counted without a timeline, so that one may begin late. */
  private boolean crowded;

  /** Begins at this moment of the wall clock. */
  History(long wallMillis) {
    this.column = Math.floorDiv(wallMillis, STEP);
  }

  /** One timeline. */
  static final class Track {
    private final long[] admitted = new long[COLUMNS];
    private final long[] refused = new long[COLUMNS];
    private final long[] shadowRefused = new long[COLUMNS];
    private final long[] degraded = new long[COLUMNS];
    private final Recent recent;

    Track(long micros) {
      recent = new Recent(micros);
    }

    /** One that begins with this: what was counted before is of no column. */
    private static Track from(Recent.Sample sample) {
      Track track = new Track(sample.micros());
      track.recent.add(sample);
      return track;
    }

    private void clear(int place) {
      admitted[place] = 0;
      refused[place] = 0;
      shadowRefused[place] = 0;
      degraded[place] = 0;
    }

    private void add(int place, Recent.Sample sample) {
      Counts grown = sample.counts().minus(recent.newest().counts());
      recent.add(sample);
      admitted[place] += grown.admitted();
      refused[place] += grown.refused();
      shadowRefused[place] += grown.shadowRefused();
      degraded[place] += grown.degraded();
    }

    Recent recent() {
      return recent;
    }
  }

  /** Takes down what was counted since the last tick. */
  void tick(long micros, long wallMillis, List<Roster.Line> lines) {
    moveTo(Math.floorDiv(wallMillis, STEP));
    makeRoom(lines);
    for (Roster.Line line : lines) {
      Recent.Sample sample = Recent.Sample.of(micros, line.meters());
      Track track = tracks.get(line.name());
      if (track == null && tracks.size() < MOST_TRACKS) {
        track = crowded ? Track.from(sample) : new Track(micros);
        tracks.put(line.name(), track);
      }
      if (track != null) {
        track.add(place(column), sample);
      }
    }
  }

  /** Those that a reload has taken away keep theirs, but not from others. */
  private void makeRoom(List<Roster.Line> lines) {
    Set<String> names = lines.stream().map(Roster.Line::name).collect(Collectors.toSet());
    long wanting = names.stream().filter(name -> !tracks.containsKey(name)).count();
    if (tracks.size() + wanting > MOST_TRACKS) {
      crowded = true;
      tracks.keySet().retainAll(names);
    }
  }

  /** Time that goes back changes nothing. */
  private void moveTo(long next) {
    for (long i = Math.max(column + 1, next - COLUMNS + 1); i <= next; i++) {
      int place = place(i);
      tracks.values().forEach(track -> track.clear(place));
    }
    column = Math.max(column, next);
  }

  private static int place(long column) {
    return (int) Math.floorMod(column, (long) COLUMNS);
  }

  @Nullable Track track(String name) {
    return tracks.get(name);
  }

  long columnStart() {
    return column * STEP;
  }

  /** What is in the current column of a track so far. */
  Counts current(Track track) {
    int place = place(column);
    return new Counts(
        track.admitted[place],
        track.refused[place],
        track.shadowRefused[place],
        track.degraded[place]);
  }

  void write(JsonGenerator json, List<Roster.Line> lines) throws IOException {
    json.writeNumberField("stepMillis", STEP);
    json.writeNumberField("columns", COLUMNS);
    json.writeArrayFieldStart("policies");
    for (Roster.Line line : lines) {
      Track track = tracks.get(line.name());
      if (track != null) {
        json.writeStartObject();
        json.writeStringField("name", line.name());
        write(json, "admitted", track.admitted);
        write(json, "refused", track.refused);
        write(json, "shadowRefused", track.shadowRefused);
        write(json, "degraded", track.degraded);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  /** The oldest first. */
  private void write(JsonGenerator json, String name, long[] ring) throws IOException {
    long[] ordered = new long[COLUMNS];
    Arrays.setAll(ordered, i -> ring[place(column + 1 + i)]);
    json.writeFieldName(name);
    json.writeArray(ordered, 0, COLUMNS);
  }
}
