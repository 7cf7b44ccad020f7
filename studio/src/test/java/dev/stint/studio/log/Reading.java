package dev.stint.studio.log;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A log that was read to its end, and everything that came of it. */
record Reading(
    String recognised, List<String> requests, Findings.Source source, List<String> said) {

  @Command
  private static final class Any {
    @Mixin private LogOptions log = new LogOptions();
  }

  static LogOptions options(String... args) {
    Any any = new Any();
    CommandLine.ParseResult unused = new CommandLine(any).parseArgs(args);
    return any.log;
  }

  static Reading of(String text, String... args) throws Unreadable {
    return of(text.getBytes(StandardCharsets.UTF_8), args);
  }

  static Reading of(byte[] bytes, String... args) throws Unreadable {
    String[] all = new String[args.length + 1];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "-";
    return of(options(all), bytes);
  }

  static Reading of(LogOptions options, byte[] standardInput) throws Unreadable {
    StringWriter said = new StringWriter();
    try (LogReader reader = LogReader.open(options, new ByteArrayInputStream(standardInput));
        PrintWriter err = new PrintWriter(said)) {
      List<String> requests = new ArrayList<>();
      reader.read(
          (micros, key, cost) ->
              requests.add(
                  Instant.EPOCH.plusNanos(micros * 1000)
                      + " "
                      + reader.nameOf(key)
                      + (cost == 1 ? "" : " x" + cost)),
          new Progress(err, 0, "lines"),
          Interruption.none());
      return new Reading(
          reader.recognised(), requests, reader.source(), said.toString().lines().toList());
    }
  }
}
