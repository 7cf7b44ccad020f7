package dev.stint.benchmarks;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is on the heap after a full collection.
 *
 * @param used bytes in objects
 * @param regions bytes in whole G1 regions: more than {@code used} where large arrays leave the end
 *     of their last region empty, which nobody else can use
 */
record Heap(long used, long regions) {

  private static final Pattern REGIONS =
      Pattern.compile("(Old|Humongous|Survivor) regions: \\d+->(\\d+)");

  /** Collects, and looks; {@code log} is what {@link #logging} writes. */
  static Heap collect(Path log) {
    System.gc();
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    try {
      return new Heap(used, lastRegions(Files.readString(log)) * regionSize());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The option that makes the JVM write the log of its regions. */
  static String logging(Path log) {
    return "-Xlog:gc+heap=info:file=" + log + ":tags:filecount=0";
  }

  /** The regions that were in use after the last collection of a log. */
  static long lastRegions(String log) {
    long old = 0;
    long humongous = 0;
    long survivor = 0;
    Matcher matcher = REGIONS.matcher(log);
    while (matcher.find()) {
      long count = Long.parseLong(matcher.group(2));
      switch (matcher.group(1)) {
        case "Old" -> old = count;
        case "Humongous" -> humongous = count;
        default -> survivor = count;
      }
    }
    return old + humongous + survivor;
  }

  private static long regionSize() {
    return Long.parseLong(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("G1HeapRegionSize")
            .getValue());
  }
}
