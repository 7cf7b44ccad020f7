package dev.stint.studio.simulate;

import dev.stint.Limit;
import dev.stint.Spelling;
import dev.stint.studio.log.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Traffic as it is written, such as {@code humans+attacker:window}: parts that come together, each
 * with keys of its own.
 */
final class Traffic {

  /** More requests than this are not sent, so that a slip of the pen does not take a day. */
  static final long MOST = 10_000_000;

  private static final long MOST_CLIENTS = 1_000_000;
  private static final long HUMANS = 50;
  private static final long HERD = 50;
  private static final long BUYERS = 200;

  /** The words, as help has them. */
  static final List<String> EXAMPLES =
      List.of(
          "steady:90/min",
          "poisson:100/min",
          "burst:200@boundary",
          "burst:200@3s",
          "attacker:window",
          "humans",
          "humans:50",
          "retry-herd",
          "flash-sale",
          "trace:FILE");

  /** What a shell offers: all but what needs a name. */
  static final class Candidates implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return EXAMPLES.stream().filter(one -> !one.endsWith("FILE")).iterator();
    }
  }

  private static final List<String> WORDS =
      EXAMPLES.stream().map(one -> one.replaceFirst(":.*", "")).distinct().toList();

  /** One part: what opens it, and what is known of it beforehand. */
  private record Part(Opening opening, boolean listens, boolean timesWindows, List<Trace> trace) {

    Part(Opening opening) {
      this(opening, false, false, List.of());
    }
  }

  private interface Opening {
    Source open(Setting setting, Chance chance);
  }

  private final String text;
  private final List<Part> parts = new ArrayList<>();
  private final Map<String, Integer> used = new HashMap<>();

  private Traffic(String text) {
    this.text = text;
  }

  /**
   * Reads a description.
   *
   * @throws IllegalArgumentException with a whole sentence
   * @throws Unreadable if it names a file that cannot be read
   */
  static Traffic parse(String text) throws Unreadable {
    Traffic traffic = new Traffic(text);
    for (String part : text.split("\\+", -1)) {
      int colon = part.indexOf(':');
      String word = colon < 0 ? part : part.substring(0, colon);
      traffic.parts.add(traffic.part(word, colon < 0 ? "" : part.substring(colon + 1)));
    }
    return traffic;
  }

  private Part part(String word, String detail) throws Unreadable {
    return switch (word) {
      case "steady" -> steady(rate(word, detail), key(word));
      case "poisson" -> poisson(rate(word, detail), key(word));
      case "burst" -> burst(detail, key(word));
      case "attacker" -> attacker(detail, key(word));
      case "humans" -> humans(clients(word, detail, HUMANS), key("human"));
      case "retry-herd" -> herd(clients(word, detail, HERD), key("herd"));
      case "flash-sale" -> sale(clients(word, detail, BUYERS), key("buyer"));
      case "trace" -> trace(Trace.read(detail, MOST));
      default ->
          throw new IllegalArgumentException(
              "unknown traffic '"
                  + word
                  + "'"
                  + Spelling.hint(word, WORDS, "; it is one of " + String.join(", ", EXAMPLES)));
    };
  }

  /** A key for each part, also of those that are there twice. */
  private String key(String word) {
    int times = used.merge(word, 1, Integer::sum);
    return times == 1 ? word : word + times;
  }

  // Parts

  private static Part steady(Limit rate, String key) {
    long window = micros(rate);
    return new Part(
        (setting, chance) ->
            endless(key, k -> Stream.of(new Even(rate.amount(), k * window, (k + 1) * window))));
  }

  private static Part poisson(Limit rate, String key) {
    double gap = (double) micros(rate) / rate.amount();
    return new Part(
        (setting, chance) -> {
          double[] at = {0};
          return endless(
              key,
              k -> {
                at[0] += chance.gap(gap);
                return Stream.of(new Even(1, (long) at[0], (long) at[0]));
              });
        });
  }

  private static Part burst(String detail, String key) {
    String[] halves = detail.split("@", -1);
    if (halves.length != 2) {
      throw new IllegalArgumentException(
          "burst must have a number and a moment, such as burst:200@boundary or burst:200@3s: '"
              + detail
              + "'");
    }
    long n = number("burst", halves[0], MOST);
    if (halves[1].equals("boundary")) {
      return new Part(
          (setting, chance) -> new Moments(key, edges(setting, n).iterator()),
          false,
          true,
          List.of());
    }
    if (!halves[1].isEmpty() && !Character.isDigit(halves[1].charAt(0))) {
      throw new IllegalArgumentException(
          "burst must be at 'boundary' or at a moment such as 3s: '" + halves[1] + "'");
    }
    long at = Length.parse("burst's moment", halves[1]);
    return new Part(
        (setting, chance) -> new Moments(key, Stream.of(new Even(n, at, at)).iterator()));
  }

  /** Around every edge between the start and the end; half of a burst would be another thing. */
  private static Stream<Even> edges(Setting setting, long n) {
    long window = setting.window();
    long first = setting.firstEdge() == 0 ? window : setting.firstEdge();
    return LongStream.iterate(first, edge -> edge < setting.duration(), edge -> edge + window)
        .mapToObj(edge -> Even.around(edge, n, window));
  }

  private static Part attacker(String detail, String key) {
    if (!detail.equals("window")) {
      throw new IllegalArgumentException(
          "attacker must be told what to time, which is attacker:window: '" + detail + "'");
    }
    return new Part(
        (setting, chance) -> {
          long window = setting.window();
          return endless(
              key,
              k ->
                  Even.attack(setting.firstEdge() + 2 * k * window, setting.amount(), window)
                      .stream());
        },
        false,
        true,
        List.of());
  }

  private static Part humans(long n, String key) {
    return new Part((setting, chance) -> crowd(n, key, name -> new Human(name, chance.split())));
  }

  private static Part sale(long n, String key) {
    return new Part(
        (setting, chance) ->
            crowd(n, key, name -> new Buyer(name, setting.duration(), chance.split())));
  }

  /** Workers that together want twice what the limit gives. */
  private static Part herd(long n, String key) {
    return new Part(
        (setting, chance) -> {
          double work = (double) n * setting.window() / (2.0 * setting.amount());
          return new Crowd(
              LongStream.range(0, n)
                  .mapToObj(i -> new Retrier(key, (long) work, chance.split()))
                  .toList());
        },
        true,
        false,
        List.of());
  }

  private static Part trace(Trace trace) {
    return new Part((setting, chance) -> trace.open(setting.start()), false, false, List.of(trace));
  }

  private static Source endless(String key, LongFunction<Stream<Even>> round) {
    return new Moments(
        key, LongStream.iterate(0, k -> k + 1).mapToObj(round).flatMap(s -> s).iterator());
  }

  private static Source crowd(long n, String key, Function<String, Crowd.Client> client) {
    return new Crowd(
        LongStream.rangeClosed(1, n).mapToObj(i -> client.apply(key + "-" + i)).toList());
  }

  // Details

  private static Limit rate(String word, String detail) {
    Limit rate;
    try {
      rate = Limit.parse(detail);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          word + " must have a rate, such as " + word + ":90/min: " + e.getMessage(), e);
    }
    if (!rate.equals(Limit.tokenBucket(rate.amount(), rate.window()))) {
      throw new IllegalArgumentException(
          word
              + " must have a rate and nothing else, such as "
              + word
              + ":90/min: '"
              + detail
              + "'");
    }
    return rate;
  }

  private static long clients(String word, String detail, long otherwise) {
    return detail.isEmpty() ? otherwise : number(word, detail, MOST_CLIENTS);
  }

  private static long number(String word, String detail, long most) {
    if (!detail.matches("[0-9]{1,9}")
        || Long.parseLong(detail) < 1
        || Long.parseLong(detail) > most) {
      throw new IllegalArgumentException(
          word + " must have a number from 1 to " + most + ": '" + detail + "'");
    }
    return Long.parseLong(detail);
  }

  private static long micros(Limit rate) {
    return rate.window().toNanos() / 1000;
  }

  // What is known of all parts together

  /** Whether it depends on what is answered, so that every algorithm gets other requests. */
  boolean listens() {
    return parts.stream().anyMatch(Part::listens);
  }

  /** Whether it cannot be made for a limit without a window. */
  boolean timesWindows() {
    return parts.stream().anyMatch(part -> part.timesWindows() || part.listens());
  }

  /**
   * Whether its costs can be added up.
   *
   * @throws Unreadable if one that is written down is too large for that
   */
  void checkSums() throws Unreadable {
    for (Part part : parts) {
      for (Trace trace : part.trace()) {
        trace.checkSums();
      }
    }
  }

  /** The first instant that is written down, if there is one. */
  OptionalLong firstInstant() {
    return parts.stream()
        .flatMap(part -> part.trace().stream())
        .filter(Trace::hasInstants)
        .mapToLong(Trace::first)
        .min();
  }

  /** How long it lasts, if all of it is written down; otherwise it has no end of its own. */
  OptionalLong length(long start) {
    boolean endless = parts.stream().anyMatch(part -> part.trace().isEmpty());
    return endless
        ? OptionalLong.empty()
        : parts.stream().mapToLong(part -> part.trace().get(0).length(start)).max();
  }

  /** The requests, from the first on. */
  Source open(Setting setting, long seed) {
    Chance chance = new Chance(new SplittableRandom(seed));
    return new Mix(
        parts.stream().map(part -> part.opening().open(setting, chance.split())).toList());
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
