package dev.stint.server.attack;

import dev.stint.server.Main;
import io.netty.util.internal.PlatformDependent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * The command line of the service, which also prints its memory for each line on standard input. It
 * ends with that, so that no test leaves a process behind.
 */
public final class MeasuredMain {

  static final String MARK = "#memory ";

  private MeasuredMain() {}

  /** Runs the command line. */
  public static void main(String[] args) {
    Thread measuring = new Thread(MeasuredMain::measure, "measuring");
    measuring.setDaemon(true);
    measuring.start();
    Main.main(args);
  }

  private static void measure() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (in.readLine() != null) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.println(MARK + heap + " " + direct());
      }
    } catch (IOException e) {
      // the same as the end
    }
    Runtime.getRuntime().halt(1); // the test has ended, however it did
  }

  /** Either Netty counts its buffers itself, or the JDK counts them, or both do. */
  private static long direct() {
    long known =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return Math.max(known, PlatformDependent.usedDirectMemory());
  }
}
