package dev.stint.studio.simulate;

import dev.stint.studio.log.Unreadable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests written down in a file, a line each: when, who, and if it is more than 1, how much.
 *
 * <pre>
 * 0ms    alice
 * 1.5s   bob    3    # a comment
 * </pre>
 *
 * <p>Moments are counted from the start; or all of them are instants such as {@code
 * 2026-01-01T00:00:00Z}.
 */
final class Trace {

  /** As for the requests of a log. */
  private static final long MOST_SUMMED = 1_000_000_000;

  private final String file;
  private final boolean instants;
  private final List<Source.Request> requests;

  private Trace(String file, boolean instants, List<Source.Request> requests) {
    this.file = file;
    this.instants = instants;
    this.requests = requests;
  }

  /** Reads a file of at most so many requests. */
  static Trace read(String file, long most) throws Unreadable {
    try (BufferedReader lines = Files.newBufferedReader(Path.of(file))) {
      return new Reading(file, most).all(lines);
    } catch (NoSuchFileException e) {
      throw new Unreadable("trace must be a file, and there is none: '" + file + "'");
    } catch (CharacterCodingException e) {
      throw new Unreadable("trace must be text in UTF-8, a request a line: '" + file + "'");
    } catch (IOException | InvalidPathException e) {
      throw new Unreadable("trace cannot be read: '" + file + "': " + e.getMessage());
    }
  }

  /** Whether moments are instants, in microseconds since the epoch. */
  boolean hasInstants() {
    return instants;
  }

  /**
   * Whether costs can be added up: of as many requests as there may be, and with room to spare.
   *
   * @throws Unreadable if one is too large for that
   */
  void checkSums() throws Unreadable {
    long most = requests.stream().mapToLong(Source.Request::cost).max().orElse(0);
    if (most > MOST_SUMMED) {
      throw new Unreadable(
          "a cost must be at most "
              + MOST_SUMMED
              + " where costs are added up, which --decisions does not: "
              + most
              + " in '"
              + file
              + "'");
    }
  }

  /** The first moment. */
  long first() {
    return requests.get(0).at();
  }

  /** How long it lasts from {@code start} on, just beyond the last request. */
  long length(long start) {
    return requests.get(requests.size() - 1).at() - origin(start) + 1;
  }

  /** Where moments are counted from, if the start is at {@code start}. */
  private long origin(long start) {
    return instants ? start : 0;
  }

  /** Plays it. */
  Source open(long start) {
    long origin = origin(start);
    if (first() < origin) {
      throw new IllegalArgumentException(
          "--start must not be after the first request of the trace: '" + file + "'");
    }
    return new Source() {
      private int i;

      @Override
      public long next() {
        return i < requests.size() ? requests.get(i).at() - origin : NEVER;
      }

      @Override
      public Request take() {
        Request request = requests.get(i++);
        return new Request(request.at() - origin, request.key(), request.cost());
      }
    };
  }

  /** A file while it is read. */
  private static final class Reading {

    private final String file;
    private final long most;
    private final Map<String, String> keys = new HashMap<>();
    private final List<Source.Request> requests = new ArrayList<>();
    private boolean instants;
    private int number;

    Reading(String file, long most) {
      this.file = file;
      this.most = most;
    }

    Trace all(BufferedReader lines) throws IOException, Unreadable {
      String line;
      while ((line = lines.readLine()) != null) {
        number++;
        String told = line.replaceFirst("(^|\\s)#.*", "").strip();
        if (!told.isEmpty()) {
          add(told);
        }
      }
      if (requests.isEmpty()) {
        throw new Unreadable("trace must have a request, such as '0ms alice': '" + file + "'");
      }
      return new Trace(file, instants, requests);
    }

    private void add(String line) throws Unreadable {
      String[] words = line.split("\\s+", -1);
      if (words.length < 2 || words.length > 3) {
        throw wrong(
            "a line must be a time, a key and perhaps a cost, such as '1.5s alice 2'", line);
      }
      long at = moment(words[0]);
      if (!requests.isEmpty() && at < requests.get(requests.size() - 1).at()) {
        throw wrong("times must not go back; sort the lines", words[0]);
      }
      if (requests.size() == most) {
        throw new Unreadable("trace must have at most " + most + " requests: '" + file + "'");
      }
      String key = keys.computeIfAbsent(words[1], word -> word);
      requests.add(new Source.Request(at, key, words.length == 3 ? cost(words[2]) : 1));
    }

    private long moment(String word) throws Unreadable {
      boolean instant = word.indexOf('T') > 0;
      if (requests.isEmpty()) {
        instants = instant;
      } else if (instants != instant) {
        throw wrong("times must be all since the start, or all instants", word);
      }
      try {
        return instant
            ? ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(word))
            : Length.parse("time", word);
      } catch (DateTimeException | ArithmeticException e) {
        throw wrong("an instant must be written as 2026-01-01T00:00:00Z", word);
      } catch (IllegalArgumentException e) {
        throw new Unreadable(file + ":" + number + ": " + e.getMessage());
      }
    }

    private long cost(String word) throws Unreadable {
      try {
        long cost = Long.parseLong(word);
        if (cost >= 1) {
          return cost;
        }
      } catch (NumberFormatException e) {
        // As below.
      }
      throw wrong("a cost must be a whole number from 1 on", word);
    }

    private Unreadable wrong(String rule, String what) {
      String shown = what.length() > 80 ? what.substring(0, 80) + ".." : what;
      return new Unreadable(
          file + ":" + number + ": " + rule + ": '" + shown.replaceAll("\\p{Cntrl}", "?") + "'");
    }
  }
}
