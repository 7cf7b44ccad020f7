package dev.stint.studio.log;

import dev.stint.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which log is read, and how; the same options on every command that reads one. */
public final class LogOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description = "An access log, plain or packed as gz or zstd; - for standard input.")
  private Path file = Path.of("-");

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      completionCandidates = Fields.class,
      description =
          "What tells clients apart: ip, user, path, method, status, host, or a field of the log;"
              + " several as ip,path (default: ip).")
  private @Nullable String by;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      completionCandidates = Formats.class,
      description =
          "common, combined, nginx-json, envoy-json, alb, ndjson or csv (default: recognised from the"
              + " first lines).")
  private @Nullable String format;

  @Option(
      names = "--time",
      paramLabel = "FIELD",
      description = "CSV and NDJSON only: the field of the time, by name or column number.")
  private @Nullable String time;

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      description = "CSV and NDJSON: the field of the client; the same as --by.")
  private @Nullable String key;

  @Option(
      names = "--cost",
      paramLabel = "FIELD",
      description = "The field of what a request costs, a whole number (default: each costs 1).")
  private @Nullable String cost;

  @Option(
      names = "--reorder",
      paramLabel = "SPAN",
      description =
          "Lines that are out of order by up to this are put in order, later ones left out and"
              + " counted (default: ${DEFAULT-VALUE}).")
  private String reorder = "10s";

  @Option(
      names = "--anonymize",
      description =
          "Call clients client-1, client-2 ... in order of appearance, and show no line of the log."
              + " Who knows when somebody came can still tell who it is.")
  private boolean anonymize;

  /** Made by the command line. */
  public LogOptions() {}

  /** What is read, as it was given. */
  public String file() {
    return file.toString();
  }

  /** What tells clients apart. */
  public String by() {
    return key != null ? key : by != null ? by : "ip";
  }

  /** Whether nobody's name may be shown. */
  public boolean anonymize() {
    return anonymize;
  }

  /** The format that was asked for; null if it is to be recognised. */
  @Nullable Format format() {
    if (format == null) {
      return null;
    }
    Format known = Format.of(format);
    if (known == null) {
      throw wrong(
          "--format must be one of "
              + Arrays.stream(Format.values()).map(Format::word).collect(Collectors.joining(", "))
              + ": '"
              + format
              + "'");
    }
    return known;
  }

  /** What is taken from every line. */
  Wanted wanted() {
    if (key != null && by != null) {
      throw wrong("--key and --by mean the same; give one of them");
    }
    List<String> fields =
        Arrays.stream(by().split(",", -1)).map(String::strip).collect(Collectors.toList());
    if (fields.contains("")) {
      throw wrong("--by must name a field, or several as ip,path: '" + by() + "'");
    }
    return new Wanted(time, fields, cost);
  }

  /** How long is waited for lines out of order, in microseconds. */
  long reorder() {
    try {
      // A span is written as everywhere else in Stint: as the window of a rate.
      Duration span =
          reorder.strip().equals("0")
              ? Duration.ZERO
              : Limit.parse("1/" + reorder.strip()).window();
      if (span.compareTo(Duration.ofHours(1)) <= 0) {
        return span.toNanos() / 1000;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw wrong("--reorder must be a span of at most an hour, such as 10s or 0: '" + reorder + "'");
  }

  /** What is thrown when an option is wrong. */
  ParameterException wrong(String sentence) {
    CommandLine line = spec.commandLine();
    return new ParameterException(line == null ? new CommandLine(spec) : line, sentence);
  }

  /** What a shell offers for {@code --by}. */
  static final class Fields implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return List.of("ip", "user", "path", "method", "status", "host").iterator();
    }
  }

  /** What a shell offers for {@code --format}. */
  static final class Formats implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Format.values()).map(Format::word).iterator();
    }
  }
}
