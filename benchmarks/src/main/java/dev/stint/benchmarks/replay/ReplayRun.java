package dev.stint.benchmarks.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of the real program in a process of its own.
 *
 * @param seconds from its start to its end, the start of the JVM included
 * @param heap the most that the heap held before a collection, in mebibytes
 */
record ReplayRun(String output, double seconds, double heap) {

  private static final Pattern COLLECTION = Pattern.compile("Pause.* (\\d+)M->");
  private static final long PATIENCE_MINUTES = 30;

  /** Replays a log with one algorithm, beside the exact log. */
  static ReplayRun of(Path service, Path options, Path log)
      throws IOException, InterruptedException {
    Path collections = Files.createTempFile("replay", ".gc");
    Path output = Files.createTempFile("replay", ".txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + options);
    command.add("-Xlog:gc:file=" + collections);
    command.addAll(List.of("-jar", service.toString(), "replay", log.toString()));
    command.addAll(List.of("--by", "ip", "--limit", "100/min"));
    try {
      long begin = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (process.waitFor() != 0) {
        throw new IOException("replay must end well: it ended with " + process.exitValue());
      }
      return new ReplayRun(Files.readString(output), seconds, heap(collections));
    } finally {
      Files.deleteIfExists(collections);
      Files.deleteIfExists(output);
    }
  }

  private static double heap(Path collections) throws IOException {
    double most = 0;
    for (String line : Files.readAllLines(collections)) {
      Matcher found = COLLECTION.matcher(line);
      if (found.find()) {
        most = Math.max(most, Double.parseDouble(found.group(1)));
      }
    }
    return most;
  }
}
