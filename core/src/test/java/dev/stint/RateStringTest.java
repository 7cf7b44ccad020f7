package dev.stint;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.stint.Limit.Kind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random tests take their seed from {@code -Dstint.seed}, and name it when they fail. */
class RateStringTest {
  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());

  private static final String UNITS =
      "; units are us, ms, second, minute, hour, day, week, month, year";
  private static final String OPTIONS =
      "; options are burst, named, counting-denied, fixed-window, fixed-window-per-key,"
          + " sliding-log, sliding-counter, token-bucket, leaky-bucket";
  private static final String RANGE =
      " must be a whole number from 1 to 4503599627370496 in plain digits, was";

  // ---- reading ---------------------------------------------------------------------------------

  static Stream<Arguments> rates() {
    Limit perMinute = Limit.tokenBucket(10, ofMinutes(1));
    Limit fixed = Limit.fixedWindow(10, ofMinutes(1));
    return Stream.of(
        arguments("10/minute", perMinute),
        arguments("10 / minute", perMinute),
        arguments("10 per minute", perMinute),
        arguments("10per minute", perMinute),
        arguments("10per1minute", perMinute),
        arguments("10 PER Minute", perMinute),
        arguments("10/MINUTES", perMinute),
        arguments(" \t10\n/\r\nminute\f", perMinute),
        arguments("0010/001 minutes", perMinute),
        arguments("10/60s", perMinute),
        arguments("10 per 60000 ms", perMinute),
        arguments("per minute", Limit.tokenBucket(1, ofMinutes(1))),
        arguments("/minute", Limit.tokenBucket(1, ofMinutes(1))),
        arguments("per 2 hours", Limit.tokenBucket(1, ofHours(2))),
        arguments("1 per 2 hours", Limit.tokenBucket(1, ofHours(2))),
        arguments("7/3s", Limit.tokenBucket(7, ofSeconds(3))),
        arguments("4503599627370496/second", Limit.tokenBucket(1L << 52, ofSeconds(1))),
        arguments("1 per 50 years", Limit.tokenBucket(1, ofDays(50 * 365))),
        arguments("10/minute token-bucket", perMinute),
        arguments("10/minute burst 10", perMinute),
        arguments("100/min burst 20", Limit.tokenBucket(100, ofMinutes(1)).burst(20)),
        arguments("100/min BURST20", Limit.tokenBucket(100, ofMinutes(1)).burst(20)),
        arguments("10/minute leaky-bucket", Limit.leakyBucket(10, ofMinutes(1))),
        arguments("10/minute leaky-bucket burst 5", Limit.leakyBucket(10, ofMinutes(1)).burst(5)),
        arguments("10/minute burst 5 leaky-bucket", Limit.leakyBucket(10, ofMinutes(1)).burst(5)),
        arguments("10/minute Fixed-Window", fixed),
        arguments("10/minute fixed-window-per-key", Limit.fixedWindowPerKey(10, ofMinutes(1))),
        arguments("10/minute sliding-log", Limit.slidingLog(10, ofMinutes(1))),
        arguments("10/minute sliding-counter", Limit.slidingCounter(10, ofMinutes(1))),
        arguments("10/minute fixed-window counting-denied", fixed.countingDenied()),
        arguments("10/minute counting-denied fixed-window", fixed.countingDenied()),
        arguments(
            "10/minute fixed-window-per-key counting-denied",
            Limit.fixedWindowPerKey(10, ofMinutes(1)).countingDenied()),
        arguments("10/minute counting-denied", perMinute.countingDenied()),
        arguments("10/minute counting-denied burst 5", perMinute.burst(5).countingDenied()),
        arguments(
            "10/minute leaky-bucket counting-denied",
            Limit.leakyBucket(10, ofMinutes(1)).countingDenied()),
        arguments(
            "10/minute counting-denied sliding-log",
            Limit.slidingLog(10, ofMinutes(1)).countingDenied()),
        arguments(
            "10/minute sliding-counter counting-denied",
            Limit.slidingCounter(10, ofMinutes(1)).countingDenied()),
        arguments("10/minute named api", perMinute.named("api")),
        arguments("10/minute named Api.v2_x-", perMinute.named("Api.v2_x-")),
        arguments("10/minute NAMED 42", perMinute.named("42")),
        arguments("10/minute named -5", perMinute.named("-5")),
        arguments("10/minute named burst", perMinute.named("burst")),
        arguments("10/minute named named", perMinute.named("named")),
        arguments("10/minute named a burst 5", perMinute.burst(5).named("a")),
        arguments("10/minute named a fixed-window", fixed.named("a")),
        arguments(
            "10/minute named a counting-denied fixed-window", fixed.countingDenied().named("a")),
        arguments("100 total", Limit.quota(100)),
        arguments("100TOTAL", Limit.quota(100)),
        arguments("100 total named trial", Limit.quota(100).named("trial")),
        arguments("100 total counting-denied", Limit.quota(100).countingDenied()),
        arguments(
            "100 total counting-denied named trial",
            Limit.quota(100).countingDenied().named("trial")));
  }

  @ParameterizedTest
  @MethodSource("rates")
  void reads_a_rate(String text, Limit expected) {
    assertSame(RateString.parse(text), expected);
    assertThat(RateString.parseAll(text)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "us, 1",
    "microsecond, 1",
    "microseconds, 1",
    "ms, 1_000",
    "milli, 1_000",
    "millis, 1_000",
    "millisecond, 1_000",
    "milliseconds, 1_000",
    "s, 1_000_000",
    "sec, 1_000_000",
    "secs, 1_000_000",
    "second, 1_000_000",
    "seconds, 1_000_000",
    "min, 60_000_000",
    "mins, 60_000_000",
    "minute, 60_000_000",
    "minutes, 60_000_000",
    "h, 3_600_000_000",
    "hr, 3_600_000_000",
    "hrs, 3_600_000_000",
    "hour, 3_600_000_000",
    "hours, 3_600_000_000",
    "d, 86_400_000_000",
    "day, 86_400_000_000",
    "days, 86_400_000_000",
    "week, 604_800_000_000",
    "weeks, 604_800_000_000",
    "month, 2_592_000_000_000",
    "months, 2_592_000_000_000",
    "year, 31_536_000_000_000",
    "years, 31_536_000_000_000",
  })
  void knows_the_unit_in_either_case_and_number(String unit, String micros) {
    Duration window = Duration.of(Long.parseLong(micros.replace("_", "")), ChronoUnit.MICROS);

    assertThat(RateString.parse("5/" + unit).window()).isEqualTo(window);
    assertThat(RateString.parse("5 per 2" + unit.toUpperCase(Locale.ROOT)).window())
        .isEqualTo(window.multipliedBy(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 per 2 hours; 100/day; 9 total",
        "1 per 2 hours,100/day,9 total",
        "1 per 2 hours | 100/day|9 total",
        "1 per 2 hours\n,\n100/day ;9 total\n",
      })
  void reads_several_rates_in_their_order(String text) {
    assertThat(RateString.parseAll(text))
        .containsExactly(
            Limit.tokenBucket(1, ofHours(2)), Limit.tokenBucket(100, ofDays(1)), Limit.quota(9));
  }

  @Test
  void a_name_ends_at_a_separator() {
    assertThat(RateString.parseAll("1/s named a;2/s named b|3/s named c,4/s"))
        .extracting(Limit::name)
        .containsExactly("a", "b", "c", "");
  }

  @Test
  void the_list_of_rates_cannot_be_changed() {
    List<Limit> limits = RateString.parseAll("1/s; 2/s");

    assertThat(catchThrowable(limits::clear)).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void limit_reads_and_prints_rate_strings() {
    assertThat(Limit.parse("100/MIN burst 20")).hasToString("100/minute burst 20");
    assertThat(Limit.parseAll("1/s; 2/s")).hasToString("[1/second, 2/second]");
  }

  // ---- printing --------------------------------------------------------------------------------

  static Stream<Arguments> printed() {
    return Stream.of(
        arguments(Limit.tokenBucket(100, ofMinutes(1)), "100/minute"),
        arguments(Limit.tokenBucket(100, ofSeconds(60)), "100/minute"),
        arguments(Limit.tokenBucket(100, ofSeconds(61)), "100 per 61 seconds"),
        arguments(Limit.tokenBucket(100, ofMinutes(1)).burst(20), "100/minute burst 20"),
        arguments(Limit.tokenBucket(100, ofMinutes(1)).burst(100), "100/minute"),
        arguments(Limit.slidingLog(10, ofHours(2)), "10 per 2 hours sliding-log"),
        arguments(
            Limit.slidingLog(10, ofHours(2)).named("api"), "10 per 2 hours sliding-log named api"),
        arguments(Limit.leakyBucket(3, ofHours(1)).burst(9), "3/hour leaky-bucket burst 9"),
        arguments(Limit.slidingCounter(3, ofDays(1)), "3/day sliding-counter"),
        arguments(Limit.fixedWindow(3, ofDays(7)), "3/week fixed-window"),
        arguments(
            Limit.fixedWindowPerKey(3, ofDays(14)).countingDenied().named("x"),
            "3 per 2 weeks fixed-window-per-key counting-denied named x"),
        arguments(Limit.tokenBucket(3, ofDays(30)), "3 per 30 days"),
        arguments(Limit.tokenBucket(3, ofDays(365)), "3 per 365 days"),
        arguments(Limit.tokenBucket(3, ofMillis(1)), "3/ms"),
        arguments(Limit.tokenBucket(3, ofMillis(250)), "3 per 250 ms"),
        arguments(Limit.tokenBucket(3, ofMillis(1_500)), "3 per 1500 ms"),
        arguments(Limit.tokenBucket(3, Duration.of(1, ChronoUnit.MICROS)), "3/us"),
        arguments(Limit.tokenBucket(3, Duration.of(1_500, ChronoUnit.MICROS)), "3 per 1500 us"),
        arguments(Limit.quota(100).named("trial"), "100 total named trial"),
        arguments(Limit.quota(100).countingDenied(), "100 total counting-denied"),
        arguments(
            Limit.tokenBucket(3, ofHours(1)).burst(9).countingDenied(),
            "3/hour burst 9 counting-denied"),
        arguments(Limit.quota(1), "1 total"));
  }

  @ParameterizedTest
  @MethodSource("printed")
  void prints_the_largest_whole_unit_and_only_what_is_not_the_default(Limit limit, String text) {
    assertThat(RateString.format(limit)).isEqualTo(text);
    assertSame(RateString.parse(text), limit);
  }

  @Test
  void every_limit_parses_back_from_what_it_prints() {
    SplittableRandom random = new SplittableRandom(SEED);
    int made = 0;
    for (int i = 0; i < 20_000; i++) {
      Optional<Limit> limit = randomLimit(random);
      made += limit.isPresent() ? 1 : 0;
      limit.ifPresent(any -> assertSame(RateString.parse(RateString.format(any)), any));
    }
    assertThat(made).as("limits made with seed %d", SEED).isGreaterThan(5_000);
  }

  @Test
  void several_limits_parse_back_from_what_they_print() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 1_000; i++) {
      List<Limit> limits =
          Stream.generate(() -> randomLimit(random)).flatMap(Optional::stream).limit(4).toList();
      String separator = List.of(",", ";", "|", " , ").get(random.nextInt(4));
      String text = String.join(separator, limits.stream().map(RateString::format).toList());

      assertThat(RateString.parseAll(text)).as("%s, seed %d", text, SEED).isEqualTo(limits);
    }
  }

  // ---- refusing --------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '"',
      textBlock =
          """
          "" -> a rate such as 10/minute must stand at column 1, was nothing
          "   " -> a rate such as 10/minute must stand at column 4, was nothing
          10 -> 'per', '/' or 'total' must stand at column 3, was nothing
          "10 " -> 'per', '/' or 'total' must stand at column 4, was nothing
          10/ -> a unit must stand at column 4, was nothing{units}
          10 per -> a unit must stand at column 7, was nothing{units}
          per -> a unit must stand at column 4, was nothing{units}
          / -> a unit must stand at column 2, was nothing{units}
          "10/ " -> a unit must stand at column 5, was nothing{units}
          10 per 5 -> a unit must stand at column 9, was nothing{units}
          10/5 -> a unit must stand at column 5, was nothing{units}
          10//minute -> a unit must stand at column 4, was '/'{units}
          10 per / minute -> a unit must stand at column 8, was '/'{units}
          10 per per minute -> unknown unit 'per' at column 8{units}
          10 / per minute -> unknown unit 'per' at column 6{units}
          10 pre minute -> 'per', '/' or 'total' must stand at column 4, was 'pre'; did you mean 'per'?
          10 p minute -> 'per', '/' or 'total' must stand at column 4, was 'p'; did you mean 'per'?
          10 tota -> 'per', '/' or 'total' must stand at column 4, was 'tota'; did you mean 'total'?
          10 minute -> 'per', '/' or 'total' must stand at column 4, was 'minute'
          10 minutes per -> 'per', '/' or 'total' must stand at column 4, was 'minutes'
          10 a minute -> 'per', '/' or 'total' must stand at column 4, was 'a'
          minute -> a count, 'per' or '/' must stand at column 1, was 'minute'
          total -> a count, 'per' or '/' must stand at column 1, was 'total'
          ten per minute -> a count, 'per' or '/' must stand at column 1, was 'ten'
          10/minit -> unknown unit 'minit' at column 4; did you mean 'minute'?
          10/MINIT -> unknown unit 'MINIT' at column 4; did you mean 'minute'?
          10/mintue -> unknown unit 'mintue' at column 4; did you mean 'minute'?
          10/m -> unknown unit 'm' at column 4; did you mean 'minute'?
          10/M -> unknown unit 'M' at column 4; did you mean 'minute'?
          10/mi -> unknown unit 'mi' at column 4; did you mean 'minute'?
          10/mo -> unknown unit 'mo' at column 4; did you mean 'month'?
          10/y -> unknown unit 'y' at column 4; did you mean 'year'?
          10/w -> unknown unit 'w' at column 4; did you mean 'week'?
          10/wk -> unknown unit 'wk' at column 4{units}
          10/msec -> unknown unit 'msec' at column 4{units}
          10/secound -> unknown unit 'secound' at column 4; did you mean 'second'?
          10/hourly -> unknown unit 'hourly' at column 4; did you mean 'hour'?
          10/xyz -> unknown unit 'xyz' at column 4{units}
          10/minute2 -> an option or one of , ; | must stand at column 10, was '2'{options}
          0/minute -> the count at column 1{range} '0'
          000/minute -> the count at column 1{range} '000'
          1 per 0 minute -> the number of units at column 7{range} '0'
          1/0s -> the number of units at column 3{range} '0'
          0 total -> the count at column 1{range} '0'
          -5/minute -> the count at column 1{range} '-5'
          +5/minute -> the count at column 1{range} '+5'
          -/minute -> the count at column 1{range} '-'
          10/-5 minutes -> the number of units at column 4{range} '-5'
          1.5/minute -> the count at column 1{range} '1.5'
          .5/minute -> the count at column 1{range} '.5'
          1_000/minute -> the count at column 1{range} '1_000'
          1,000/minute -> 'per', '/' or 'total' must stand at column 2, was ','
          1 000/minute -> 'per', '/' or 'total' must stand at column 3, was '000'
          1e3/minute -> 'per', '/' or 'total' must stand at column 2, was 'e3'
          0x10/minute -> the count at column 1{range} '0'
          10/0.5 hours -> the number of units at column 4{range} '0.5'
          4503599627370497/s -> the count at column 1{range} '4503599627370497'
          9223372036854775808/minute -> the count at column 1{range} '9223372036854775808'
          99999999999999999999999999/minute -> the count at column 1{range} '99999999999999999999999999'
          18446744073709551623/minute -> the count at column 1{range} '18446744073709551623'
          99999999999999999999999999 total -> the count at column 1{range} '99999999999999999999999999'
          1 per 99999999999999999999999999 ms -> the number of units at column 7{range} '99999999999999999999999999'
          1 per 4503599627370496 years -> the window at column 7 must be at most 50 years of 365 days, was 4503599627370496 years
          1 per 51 years -> the window at column 7 must be at most 50 years of 365 days, was 51 years
          1 per 2608 weeks -> the window at column 7 must be at most 50 years of 365 days, was 2608 weeks
          1 per 609 months -> the window at column 7 must be at most 50 years of 365 days, was 609 months
          1 per 1576800000001 ms -> the window at column 7 must be at most 50 years of 365 days, was 1576800000001 ms
          10/minute, -> a rate must follow the ',' at column 10, was nothing; add one or remove it
          10/minute; -> a rate must follow the ';' at column 10, was nothing; add one or remove it
          10/minute | -> a rate must follow the '|' at column 11, was nothing; add one or remove it
          , -> a rate such as 10/minute must stand at column 1, was ','
          ;10/minute -> a rate such as 10/minute must stand at column 1, was ';'
          10/minute 5/hour -> an option or one of , ; | must stand at column 11, was '5'{options}
          10/minute per hour -> unknown option 'per' at column 11{options}
          10/minute brust 5 -> unknown option 'brust' at column 11; did you mean 'burst'?
          10/minute bur 5 -> unknown option 'bur' at column 11; did you mean 'burst'?
          10/minute token -> unknown option 'token' at column 11; did you mean 'token-bucket'?
          10/minute sliding -> unknown option 'sliding' at column 11; did you mean 'sliding-log'?
          10/minute slidinglog -> unknown option 'slidinglog' at column 11; did you mean 'sliding-log'?
          10/minute sliding_log -> unknown option 'sliding_log' at column 11; did you mean 'sliding-log'?
          10/minute sliding log -> unknown option 'sliding' at column 11; did you mean 'sliding-log'?
          10/minute moving-window -> unknown option 'moving-window' at column 11{options}
          10/minute gcra -> unknown option 'gcra' at column 11{options}
          10/minute fixed -> unknown option 'fixed' at column 11; did you mean 'fixed-window'?
          10/minute leaky-buckets -> unknown option 'leaky-buckets' at column 11; did you mean 'leaky-bucket'?
          10/minute toxky-bucket -> unknown option 'toxky-bucket' at column 11; did you mean 'token-bucket'?
          10/minute counting-denid -> unknown option 'counting-denid' at column 11; did you mean 'counting-denied'?
          10/minute name x -> unknown option 'name' at column 11; did you mean 'named'?
          10/minute total -> unknown option 'total' at column 11{options}
          10/minute $ -> unknown option '$' at column 11{options}
          10/minute 5 -> an option or one of , ; | must stand at column 11, was '5'{options}
          10/minute / -> an option or one of , ; | must stand at column 11, was '/'{options}
          10/minute. -> unknown unit 'minute.' at column 4; did you mean 'minute'?
          10/minute~ -> unknown unit 'minute~' at column 4; did you mean 'minute'?
          10/minute burst -> a whole number must stand at column 16, was nothing
          10/minute burst 0 -> the burst at column 17{range} '0'
          10/minute burst -1 -> the burst at column 17{range} '-1'
          10/minute burst 1.5 -> the burst at column 17{range} '1.5'
          10/minute burst five -> a whole number must stand at column 17, was 'five'
          10/minute burst 99999999999999999999 -> the burst at column 17{range} '99999999999999999999'
          10/minute burst; 5/hour -> a whole number must stand at column 16, was ';'
          10/minute burst 5 burst 5 -> 'burst' must be given once, was given again by 'burst' at column 19; remove one
          10/minute burst 5 burst 6 -> 'burst' must be given once, was given again by 'burst' at column 19; remove one
          10/minute sliding-log sliding-log -> the algorithm must be given once, was given again by 'sliding-log' at column 23; remove one
          10/minute sliding-log token-bucket -> the algorithm must be given once, was given again by 'token-bucket' at column 23; remove one
          10/minute named a named b -> 'named' must be given once, was given again by 'named' at column 19; remove one
          10/minute fixed-window counting-denied counting-denied -> 'counting-denied' must be given once, was given again by 'counting-denied' at column 40; remove one
          10/minute fixed-window burst 5 -> 'burst' at column 24 must go with token-bucket or leaky-bucket, was with fixed-window
          10/minute burst 5 fixed-window-per-key -> 'burst' at column 11 must go with token-bucket or leaky-bucket, was with fixed-window-per-key
          10/minute sliding-log burst 5 -> 'burst' at column 23 must go with token-bucket or leaky-bucket, was with sliding-log
          10/minute burst 5 sliding-counter -> 'burst' at column 11 must go with token-bucket or leaky-bucket, was with sliding-counter
          10/minute named -> a name must stand at column 16, was nothing
          10/minute named ; -> a name must stand at column 17, was ';'
          100 total burst 5 -> 'burst' at column 11 must go with token-bucket or leaky-bucket, was with quota
          100 total sliding-log -> 'sliding-log' at column 11 must go with a window, was with quota
          100 total token-bucket -> 'token-bucket' at column 11 must go with a window, was with quota
          100 total named -> a name must stand at column 16, was nothing
          100 total named a named b -> 'named' must be given once, was given again by 'named' at column 19; remove one
          100 total/minute -> an option or one of , ; | must stand at column 10, was '/'; options of a quota are named, counting-denied
          100 total 5 -> an option or one of , ; | must stand at column 11, was '5'; options of a quota are named, counting-denied
          100 totals -> 'per', '/' or 'total' must stand at column 5, was 'totals'; did you mean 'total'?
          total 100 -> a count, 'per' or '/' must stand at column 1, was 'total'
          10/minute named a b -> unknown option 'b' at column 19; did you mean 'burst'?
          """)
  void refuses_a_malformed_rate(String text, String sentence) {
    String whole =
        "rate string \"%s\": %s"
            .formatted(text, sentence)
            .replace("{units}", UNITS)
            .replace("{options}", OPTIONS)
            .replace("{range}", RANGE);

    assertRefused(() -> RateString.parse(text), whole);
    assertRefused(() -> RateString.parseAll(text), whole);
  }

  static Stream<Arguments> oddCharacters() {
    return Stream.of(
        arguments(
            "10/min\u00fate",
            "10/min\u00fate",
            "unknown unit 'min\u00fate' at column 4; did you mean 'minute'?"),
        arguments(
            "10/wee\u212a",
            "10/wee\u212a",
            "unknown unit 'wee\u212a' at column 4; did you mean 'week'?"),
        arguments(
            "10/minute\u0000",
            "10/minute\\u0000",
            "unknown unit 'minute\\u0000' at column 4; did you mean 'minute'?"),
        arguments(
            "\u0000", "\\u0000", "a count, 'per' or '/' must stand at column 1, was '\\u0000'"),
        arguments("10/\ud83d", "10/\\ud83d", "unknown unit '\\ud83d' at column 4" + UNITS),
        arguments(
            "10/\ud83d\ude00",
            "10/\\ud83d\\ude00",
            "unknown unit '\\ud83d\\ude00' at column 4" + UNITS),
        arguments(
            "\u0661\u0660/minute",
            "\u0661\u0660/minute",
            "a count, 'per' or '/' must stand at column 1, was '\u0661\u0660'"),
        arguments(
            "10\u00a0/minute",
            "10\\u00a0/minute",
            "'per', '/' or 'total' must stand at column 3, was '\\u00a0'"),
        arguments(
            "10/minute\u202e",
            "10/minute\\u202e",
            "unknown unit 'minute\\u202e' at column 4; did you mean 'minute'?"),
        arguments(
            "10/minute\\",
            "10/minute\\u005c",
            "unknown unit 'minute\\u005c' at column 4; did you mean 'minute'?"));
  }

  @ParameterizedTest(name = "[{index}] {1}")
  @MethodSource("oddCharacters")
  void shows_characters_that_cannot_be_seen_by_their_number(
      String text, String shown, String sentence) {
    assertRefused(() -> RateString.parse(text), "rate string \"" + shown + "\": " + sentence);
  }

  @Test
  void refuses_null_without_a_null_pointer_exception() {
    String sentence = "rate string must be a text such as \"10/minute\", was null";

    assertRefused(() -> RateString.parse(null), sentence);
    assertRefused(() -> RateString.parseAll(null), sentence);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "10/minute;5/hour, 10",
        "10/minute | 5/hour, 11",
        "10/minute;;, 10",
        "10/minute;rubbish, 10",
        "9 total named a;1/s, 16"
      })
  void one_rate_is_one_rate_and_the_way_to_read_several_is_told(String text, int column) {
    assertRefused(
        () -> RateString.parse(text),
        "rate string \""
            + text
            + "\": must be one rate, but another follows the separator at"
            + " column "
            + column
            + "; use Limit.parseAll for several");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      textBlock =
          """
          10/minute,,5/hour         -> a rate such as 10/minute must stand at column 11, was ','
          10/minute;;               -> a rate such as 10/minute must stand at column 11, was ';'
          10/minute, ;5/hour        -> a rate such as 10/minute must stand at column 12, was ';'
          1/s;2/s|                  -> a rate must follow the '|' at column 8, was nothing; add one or remove it
          1/s;2/minit               -> unknown unit 'minit' at column 7; did you mean 'minute'?
          1/s;2/s;0/s               -> the count at column 9{range} '0'
          1/s named a;2/s brust 3   -> unknown option 'brust' at column 17; did you mean 'burst'?
          1/s sliding-log;2/s;3 totl -> 'per', '/' or 'total' must stand at column 23, was 'totl'; did you mean 'total'?
          """)
  void the_column_counts_from_the_start_of_the_list(String text, String sentence) {
    assertRefused(
        () -> RateString.parseAll(text),
        "rate string \"" + text + "\": " + sentence.replace("{range}", RANGE));
  }

  static Stream<Arguments> outOfRange() {
    Supplier<Limit> largeLog = () -> Limit.slidingLog(1_000_001, ofMinutes(1));
    Supplier<Limit> largeCounter = () -> Limit.slidingCounter(1L << 52, ofDays(365));
    Supplier<Limit> largeBurst = () -> Limit.tokenBucket(1, ofDays(365)).burst(100);
    Supplier<Limit> oddName = () -> Limit.quota(1).named("a$b");
    Supplier<Limit> unseenName = () -> Limit.quota(1).named("a\0b");
    Supplier<Limit> longName = () -> Limit.quota(1).named("n".repeat(65));
    return Stream.of(
        arguments("1000001/minute sliding-log", 1, largeLog),
        arguments("1/s; 1000001/minute sliding-log", 6, largeLog),
        arguments("4503599627370496/year sliding-counter", 1, largeCounter),
        arguments("1/year burst 100", 8, largeBurst),
        arguments("1 total named a$b", 9, oddName),
        arguments("1 total named a\0b", 9, unseenName),
        arguments("1 total named " + "n".repeat(65), 9, longName));
  }

  @ParameterizedTest
  @MethodSource("outOfRange")
  void passes_on_what_the_limit_itself_refuses(String text, int column, Supplier<Limit> same) {
    Throwable cause = catchThrowable(same::get);

    assertThat(cause).isInstanceOf(IllegalArgumentException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateString.parseAll(text))
        .withMessageStartingWith("rate string \"")
        .withMessageEndingWith("\": at column " + column + ": " + cause.getMessage())
        .havingCause()
        .withMessage(cause.getMessage());
  }

  @Test
  void shows_only_the_part_of_a_long_text_where_it_is_wrong() {
    String many = "10/minute, ".repeat(50);

    assertRefused(
        () -> RateString.parseAll(many + "5/hor, " + many + "1/s"),
        "rate string \"...nute, 10/minute, 10/minute, 5/hor, 10/minute, 10/minute, 10/...\":"
            + " unknown unit 'hor' at column 553; did you mean 'hour'?");
    assertRefused(
        () -> RateString.parseAll("5/hor, " + many),
        "rate string \"5/hor, 10/minute, 10/minute, 10/minute, 10/minute, 10/minute...\":"
            + " unknown unit 'hor' at column 3; did you mean 'hour'?");
    assertRefused(
        () -> RateString.parseAll(many + "5/hor"),
        "rate string \"...10/minute, 10/minute, 10/minute, 10/minute, 10/minute, 5/hor\":"
            + " unknown unit 'hor' at column 553; did you mean 'hour'?");
  }

  @Test
  void shows_only_the_beginning_of_a_long_word() {
    assertRefused(
        () -> RateString.parse("1/" + "x".repeat(40)),
        "rate string \"1/"
            + "x".repeat(40)
            + "\": unknown unit '"
            + "x".repeat(40)
            + "' at column 3"
            + UNITS);
    assertRefused(
        () -> RateString.parse("1/" + "x".repeat(1_000)),
        "rate string \"1/"
            + "x".repeat(58)
            + "...\": unknown unit '"
            + "x".repeat(40)
            + "... (1000 characters)' at column 3"
            + UNITS);
  }

  @Test
  void reads_and_complains_alike_under_every_default_locale() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("tr-TR", "ar-EG-u-nu-arab", "hi-IN-u-nu-deva")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertThat(RateString.parse("10/MINUTE FIXED-WINDOW"))
            .hasToString("10/minute fixed-window");
        assertRefused(
            () -> RateString.parse("10/MINIT"),
            "rate string \"10/MINIT\": unknown unit 'MINIT' at column 4; did you mean 'minute'?");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  // ---- hostile text ----------------------------------------------------------------------------

  static Stream<Arguments> mebibytes() {
    return Stream.of(
        arguments("nines", "9".repeat(1 << 20)),
        arguments("letters", "1/" + "m".repeat(1 << 20)),
        arguments("blanks", " ".repeat(1 << 20)),
        arguments("separators", ";".repeat(1 << 20)),
        arguments("slashes", "/".repeat(1 << 20)),
        arguments("NULs", "\0".repeat(1 << 20)),
        arguments("hyphens", "1/s " + "-".repeat(1 << 20)),
        arguments("half a pair", "1/s \ud83d".repeat(1 << 18)),
        arguments("a long name", "1/s named " + "n".repeat(1 << 20)),
        arguments("a name of line feeds", "1/s named " + "\n".repeat(1 << 20)),
        arguments("a long option", "1/s " + "burst".repeat(1 << 18)),
        arguments("many options", "1/s " + "named a ".repeat(1 << 17)),
        arguments("many rates, the last one wrong", "1/s;".repeat(1 << 18) + "1/x"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mebibytes")
  void refuses_a_mebibyte_of_rubbish_soon_and_briefly(String name, String text) {
    Throwable refusal =
        assertTimeoutPreemptively(
            ofSeconds(10), () -> catchThrowable(() -> RateString.parseAll(text)));

    assertThat(refusal).as(name).isInstanceOf(IllegalArgumentException.class);
    assertThat(columnIn(refusal.getMessage())).isBetween(1, text.length() + 1);
    assertThat(refusal.getMessage()).hasSizeLessThan(1_000);
  }

  @Test
  void reads_a_mebibyte_of_rates_soon() {
    String zeros = "0".repeat(1 << 20);
    String rates = "1/s;".repeat((1 << 18) - 1) + "1/s";

    assertTimeoutPreemptively(
        ofSeconds(10),
        () -> {
          assertThat(RateString.parse(zeros + "7/s").amount()).isEqualTo(7);
          assertThat(RateString.parseAll(rates)).hasSize(1 << 18);
        });
  }

  @Test
  void a_mutated_rate_is_read_or_refused_with_a_column_and_nothing_else() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> valid = rates().map(row -> (String) row.get()[0]).toList();
    int refused = 0;
    for (int i = 0; i < 1_000; i++) {
      String text = valid.get(random.nextInt(valid.size()));
      for (int mutations = random.nextInt(1, 4); mutations > 0; mutations--) {
        text = mutated(text, random);
      }
      refused += readOrRefused(text) ? 0 : 1;
    }
    assertThat(refused).as("refused with seed %d", SEED).isBetween(200, 990);
  }

  private static boolean readOrRefused(String text) {
    try {
      for (Limit limit : RateString.parseAll(text)) {
        assertSame(RateString.parse(RateString.format(limit)), limit);
      }
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(columnIn(e.getMessage()))
          .as("%s, seed %d", e, SEED)
          .isBetween(1, text.length() + 1);
      assertThat(e.getMessage().chars()).as("seed %d", SEED).noneMatch(Character::isISOControl);
      return false;
    }
  }

  private static String mutated(String text, SplittableRandom random) {
    String inserted = "0123456789 /,;|.-_+$aemnsuxBT\t\0\u00e9\ud83d\ude00\u2028";
    int at = random.nextInt(text.length() + 1);
    int to = random.nextInt(at, Math.min(at + 3, text.length()) + 1);
    char any = inserted.charAt(random.nextInt(inserted.length()));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at) + text.substring(to);
      case 1 -> text.substring(0, at) + any + text.substring(at);
      case 2 -> text.substring(0, at) + any + text.substring(to);
      case 3 -> text.substring(0, to) + text.substring(at);
      default -> text.substring(at) + text.substring(0, at);
    };
  }

  // ---- helpers ---------------------------------------------------------------------------------

  /** Equality of limits, and of all that they tell, so that this does not stand on equals alone. */
  private static void assertSame(Limit actual, Limit expected) {
    assertThat(actual).as("seed %d", SEED).isEqualTo(expected);
    assertThat(told(actual)).as("seed %d", SEED).isEqualTo(told(expected));
  }

  private static List<Object> told(Limit limit) {
    return List.of(
        limit.kind(),
        limit.amount(),
        limit.window(),
        limit.capacity(),
        limit.name(),
        limit.countsDenied());
  }

  private static void assertRefused(Supplier<?> reading, String sentence) {
    assertThatIllegalArgumentException().isThrownBy(reading::get).withMessage(sentence);
  }

  private static int columnIn(String message) {
    Matcher column = Pattern.compile("^rate string \".*\": .*at column (\\d+)").matcher(message);
    assertThat(column.find()).as("%s, seed %d", message, SEED).isTrue();
    return Integer.parseInt(column.group(1));
  }

  /** A limit of any kind, of any size and with any options; empty where there can be none such. */
  private static Optional<Limit> randomLimit(SplittableRandom random) {
    List<Kind> kinds = List.of(Kind.values());
    Kind kind = kinds.get(random.nextInt(kinds.size()));
    long amount = anySize(random, 1L << 52);
    Duration window = anyWindow(random);
    try {
      Limit limit = limit(kind, amount, window);
      if (kind.isBucket() && random.nextBoolean()) {
        limit = limit.burst(anySize(random, 4 * amount));
      }
      if (random.nextBoolean()) {
        limit = limit.countingDenied();
      }
      return Optional.of(random.nextBoolean() ? limit.named(anyName(random)) : limit);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Limit limit(Kind kind, long amount, Duration window) {
    return switch (kind) {
      case FIXED_WINDOW -> Limit.fixedWindow(amount, window);
      case FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(amount, window);
      case SLIDING_LOG -> Limit.slidingLog(amount, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(amount, window);
      case TOKEN_BUCKET -> Limit.tokenBucket(amount, window);
      case LEAKY_BUCKET -> Limit.leakyBucket(amount, window);
      case QUOTA -> Limit.quota(amount);
    };
  }

  /** Small and large alike: as many numbers of one digit as of ten. */
  private static long anySize(SplittableRandom random, long largest) {
    int bits = random.nextInt(64 - Long.numberOfLeadingZeros(largest));
    return Math.min(largest, (1L << bits) + random.nextLong(1L << bits));
  }

  private static Duration anyWindow(SplittableRandom random) {
    List<Long> units =
        List.of(1L, 1_000L, 1_000_000L, 60_000_000L, 3_600_000_000L, 86_400_000_000L);
    long unit = units.get(random.nextInt(units.size()));
    long longest = 50L * 365 * 86_400_000_000L / unit;
    return Duration.of(unit * anySize(random, longest), ChronoUnit.MICROS);
  }

  private static String anyName(SplittableRandom random) {
    String alphabet = "ABCXYZabcxyz0189_.-";
    StringBuilder name = new StringBuilder();
    for (int length = random.nextInt(1, 65); length > 0; length--) {
      name.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return name.toString();
  }
}
