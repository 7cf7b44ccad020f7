package dev.stint.testkit;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour as text, that a store or a limiter can be held to.
 *
 * <pre>
 * scene: a bucket refills evenly
 * limit: 5/second token-bucket
 *   0ms  hit 1 → allowed, 4 left          0ms  hit 4 → allowed, 0 left
 *   0ms  hit 1 → denied, retry in 200ms   199.999ms hit 1 → denied    200ms hit 1 → allowed, 0 left
 * </pre>
 *
 * <p>A file ({@code *.timeline}) holds one scene or several. A scene has a title, limits as {@linkplain
 * Limit#parse rate strings} ({@code limit daily: 100/day} where there are several), if it matters a
 * {@code start: 2024-01-01T00:00:00Z}, and steps. {@code #} begins a comment.
 *
 * <p>A <em>step</em> is a time since the start, what is done then, and after {@code →} (or {@code ->})
 * what is expected. {@code +5s} is five seconds after the step before. A time may be earlier than that
 * of the step before: then the clock steps back.
 *
 * <ul>
 *   <li>{@code hit 2}, {@code hit 2 @alice}: two units of all limits, on the key {@code alice}. Also
 *       {@code peek}, {@code inc}, {@code refund}, {@code set}; without amounts {@code get}, {@code
 *       expiresAt}, {@code reset}; and {@code clean}.
 *   <li>{@code hit 2 of daily @alice and 1 of hourly @all shadow}: a joint call. {@code inc 2 of daily
 *       @alice} and so on: one of several limits.
 *   <li>{@code hit 3 as lunch}, later {@code refund lunch}: give back what that hit charged.
 * </ul>
 *
 * <p><em>Expectations</em>, separated by commas; what is not mentioned is not checked. Of a hit or
 * peek: {@code allowed}, {@code denied}, {@code by daily} (the limit that decided), {@code 4 left},
 * {@code 1 used}, {@code retry in 200ms}, {@code retry never}, {@code next in 200ms}, {@code next
 * never}, {@code full}, {@code reset in 1s}, {@code reset never}, {@code shared}, {@code degraded}, and
 * {@code not} before the last two; then, after a semicolon, what one of the limits answered: {@code ;
 * daily: 3 left}. Of inc and get: {@code count 5}. Of expiresAt: {@code at 60s} since the start, {@code
 * never}, {@code nothing}. Of clean: {@code 3 forgotten}.
 */
public final class Timeline {

  private static final String FOLDER = "timelines/";

  private final String source;
  private final String title;
  private final @Nullable Instant start;
  private final Map<String, Limit> limits;
  private final List<Step> steps;

  Timeline(
      String source,
      String title,
      @Nullable Instant start,
      Map<String, Limit> limits,
      List<Step> steps) {
    this.source = source;
    this.title = title;
    this.start = start;
    this.limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads a timeline of one scene.
   *
   * @throws IllegalArgumentException with the line and column of what is wrong, and the cure
   */
  public static Timeline parse(String text) {
    List<Timeline> scenes = parseAll("timeline", text);
    if (scenes.size() > 1) {
      throw new IllegalArgumentException(
          "a timeline must have one scene: " + scenes.size() + "; use parseAll for several");
    }
    return scenes.get(0);
  }

  /** Reads all scenes of a file whose name is {@code source}. */
  public static List<Timeline> parseAll(String source, String text) {
    return List.copyOf(TimelineParser.parse(source, text));
  }

  /** Reads all scenes of a file that lies beside a class, as its resource. */
  public static List<Timeline> load(Class<?> owner, String resource) {
    String source = resource.substring(resource.lastIndexOf('/') + 1);
    return parseAll(source, text(owner, resource));
  }

  /** The timelines of Stint itself, which every store must hold to. */
  public static List<Timeline> packaged() {
    List<Timeline> all = new ArrayList<>();
    for (String file : text(Timeline.class, FOLDER + "index").lines().toList()) {
      all.addAll(load(Timeline.class, FOLDER + file));
    }
    return all;
  }

  private static String text(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "resource must lie beside " + owner.getName() + ": '" + resource + "'");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs every step on a limiter with this timeline's limits.
   *
   * @param time the clock of {@code store}
   * @throws AssertionError at the first step with another answer, with both
   */
  public void replay(Store store, ManualTime time) {
    replay(store, time, Replay.Manner.OWN, "");
  }

  /** Runs every step on this limiter: with its own limits where the step names none. */
  public void replay(RateLimiter limiter, ManualTime time) {
    new Replay(this, limiter, time, Replay.Manner.OWN, "").run();
  }

  /** As {@link #replay(Store, ManualTime)}, all keys beginning with {@code prefix}. */
  void replay(Store store, ManualTime time, Replay.Manner manner, String prefix) {
    boolean own = steps.stream().anyMatch(Step::isOwn);
    Limit[] fixed = own ? limits.values().toArray(Limit[]::new) : new Limit[0];
    new Replay(this, RateLimiter.of(store, fixed), time, manner, prefix).run();
  }

  /** The file's name. */
  public String source() {
    return source;
  }

  /** What the scene is about. */
  public String title() {
    return title;
  }

  Optional<Instant> start() {
    return Optional.ofNullable(start);
  }

  List<Step> steps() {
    return steps;
  }

  int size() {
    return limits.size();
  }

  List<Limit> limits() {
    return List.copyOf(limits.values());
  }

  /** The limit of this name; without one, the only limit. */
  Limit limit(@Nullable String label) {
    Limit limit = label == null ? limits.values().iterator().next() : limits.get(label);
    if (limit == null) {
      throw new IllegalArgumentException("limit must be one of " + limits.keySet() + ": " + label);
    }
    return limit;
  }

  /** The name of a limit in this timeline, or what it is if it has none. */
  String label(Limit limit) {
    for (Map.Entry<String, Limit> one : limits.entrySet()) {
      if (one.getValue().equals(limit) && !one.getKey().isEmpty()) {
        return one.getKey();
      }
    }
    return limit.toString();
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** The file and the title. */
  @Override
  public String toString() {
    return title.equals(source) ? source : source + ": " + title;
  }
}
