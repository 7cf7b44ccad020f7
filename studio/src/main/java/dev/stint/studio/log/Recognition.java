package dev.stint.studio.log;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out a log's format from its first lines: it is the one that understands most of them.
 *
 * <p>{@value #SAMPLE} lines are looked at; if nobody understands any of them, up to {@value #MOST}.
 */
final class Recognition {

  /** How many lines are looked at. */
  static final int SAMPLE = 20;

  /** How many lines are looked at if that does not help. */
  static final int MOST = 1000;

  /** Formats whose fields are always the same. */
  private static final List<Format> FIXED = List.of(Format.COMBINED, Format.COMMON, Format.ALB);

  private final Input input;
  private final LogOptions options;
  private final Wanted wanted;
  private final Head head = new Head();

  Recognition(Input input, LogOptions options, Wanted wanted) {
    this.input = input;
    this.options = options;
    this.wanted = wanted;
  }

  /** What was read to find out. */
  Head head() {
    return head;
  }

  /** Reads the first lines and says who understands them. */
  LineFormat format() throws Unreadable {
    for (int most : new int[] {SAMPLE, MOST}) {
      fill(most);
      Format best = best();
      if (best != null) {
        return reader(best);
      }
    }
    throw nobody();
  }

  private void fill(int lines) throws Unreadable {
    try {
      head.fill(input.stream(), lines);
    } catch (IOException e) {
      throw input.broken(head.lines().size(), e);
    }
    if (head.isBlank()) {
      throw new Unreadable(
          "a log must have lines: "
              + input.name()
              + " is empty; if it was rotated a moment ago, name the file before it");
    }
    if (head.isBinary()) {
      throw new Unreadable(
          "a log must be text, plain or packed as gz or zstd: "
              + input.name()
              + " is binary; name the log itself");
    }
  }

  /** The format whose lines these are, whatever is wanted of them. */
  private @Nullable Format best() {
    return best(new Wanted(wanted.time(), List.of(), null), candidates());
  }

  private @Nullable Format best(Wanted any, List<Format> formats) {
    Format best = null;
    int most = 0;
    for (Format format : formats) {
      try {
        LineFormat reader = format.reader(any, head.texts());
        int understood = understood(reader, new Entry(0));
        if (understood > most) {
          most = understood;
          best = format;
        }
      } catch (IllegalArgumentException e) {
        // It has no place for a time.
      }
    }
    return best;
  }

  /** Formats whose fields are known have no use for a name of the time. */
  private void checkTime() {
    Format known = wanted.time() == null ? null : best(new Wanted(null, List.of(), null), FIXED);
    if (known != null) {
      throw uselessTime(known);
    }
  }

  private RuntimeException uselessTime(Format format) {
    return options.wrong(
        "--time is for CSV and NDJSON only, and this is a log of the format %s, where the time is known; leave it out: '%s'"
            .formatted(format.word(), wanted.time()));
  }

  private List<Format> candidates() {
    Format asked = options.format();
    if (asked != null) {
      if (wanted.time() != null && FIXED.contains(asked)) {
        throw uselessTime(asked);
      }
      return List.of(asked);
    }
    return Arrays.stream(Format.values())
        .filter(format -> wanted.time() == null || format.hasNames())
        .toList();
  }

  private int understood(LineFormat reader, Entry entry) {
    int understood = 0;
    for (byte[] line : head.lines()) {
      entry.begin();
      understood += reader.read(line, 0, line.length, entry) == null ? 1 : 0;
    }
    return understood;
  }

  private LineFormat reader(Format format) throws Unreadable {
    try {
      LineFormat reader = format.reader(wanted, head.texts());
      if (understood(reader, new Entry(wanted.by().size())) == 0) {
        throw unlike("%s lines, but none has what is asked for".formatted(reader.name()), reader);
      }
      return reader;
    } catch (IllegalArgumentException e) {
      throw options.wrong(told(e));
    }
  }

  private Unreadable nobody() {
    Format asked = options.format();
    if (asked == null) {
      checkTime();
      String known =
          Arrays.stream(Format.values()).map(Format::word).collect(Collectors.joining(", "));
      return new Unreadable(
          "a log must be of a known format (%s): %s is none of them in its first %s%s; for CSV or NDJSON name its fields with --time and --key"
              .formatted(
                  known,
                  input.name(),
                  head.lines().size() == 1 ? "line" : "%,d lines".formatted(head.lines().size()),
                  example()));
    }
    try {
      return unlike("no " + asked.word() + " lines", asked.reader(wanted, head.texts()));
    } catch (IllegalArgumentException e) {
      return new Unreadable(
          "%s cannot be read as %s: %s".formatted(input.name(), asked.word(), told(e)));
    }
  }

  private String told(IllegalArgumentException mistake) {
    return options.anonymize() && mistake instanceof Wanted.Unknown unknown
        ? unknown.withoutNames()
        : String.valueOf(mistake.getMessage());
  }

  private Unreadable unlike(String what, LineFormat reader) {
    Entry entry = new Entry(wanted.by().size());
    String reason = LineFormat.NO_REQUEST;
    for (int i = 0; LineFormat.NO_REQUEST.equals(reason) && i < head.lines().size(); i++) {
      byte[] line = head.lines().get(i);
      entry.begin();
      reason = reader.read(line, 0, line.length, entry);
    }
    return new Unreadable(
        "a log must have lines that can be understood: %s has %s in its first %,d%s; the first has %s"
            .formatted(input.name(), what, head.lines().size(), example(), reason));
  }

  private String example() {
    return options.anonymize() || head.lines().isEmpty()
        ? ""
        : " (such as '" + Clients.shown(head.texts().get(0), 80) + "')";
  }
}
