package dev.stint.server.resp;

import com.sun.management.ThreadMXBean;
import dev.stint.Limit;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.serve.Service;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Counts the bytes that the event loops allocate for each request, in a process of its own: what is
 * compiled away depends on what else the process has run.
 */
final class AllocationProbe {

  private static final int PIPELINED = 16;
  private static final int ROUNDS = 12;
  private static final int BATCHES = 5_000;
  private static final int KEYS = 64;
  private static final long WIDE = 900_000;
  private static final Duration FIFTY_DAYS = Duration.ofDays(50);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationProbe() {}

  public static void main(String[] arguments) {
    Configuration slow =
        Served.configuration()
            .withPolicies(
                Map.of(
                    "slow", PolicySettings.of(List.of(Limit.tokenBucket(1, FIFTY_DAYS))),
                    "wide", PolicySettings.of(List.of(Limit.fixedWindow(WIDE, FIFTY_DAYS)))));
    try (Service service = Service.start(slow);
        RawClient client = new RawClient(service.respPort())) {
      String hit = "*3|$9|STINT.HIT|$4|slow|$7|user:%02d|";
      String throttle = "*5|$11|CL.THROTTLE|$7|user:%02d|$1|0|$1|1|$7|4320000|";
      measure(client, "PING", "*1|$4|PING|", "+PONG|");
      measure(client, "STINT.HIT", hit, "*6|:0|:1|:0|:4319999999|:4319999999|:0|");
      String admitted = "*3|$9|STINT.HIT|$4|wide|$7|user:%02d|";
      measure(client, "STINT.HIT-admitted", admitted, "*6|:1|:900000|:800000|:0|:4319999999|:0|");
      measure(client, "CL.THROTTLE", throttle, "*5|:1|:1|:0|:4319999|:4319999|");
    }
  }

  /**
   * Measures one command.
   *
   * @param answer an answer with as many bytes as all have, once each key has been used
   */
  private static void measure(RawClient client, String name, String request, String answer) {
    for (int key = 0; key < KEYS; key++) {
      client.send(request.formatted(key).replace("|", "\r\n"));
      client.lines((int) answer.chars().filter(c -> c == '|').count());
    }
    byte[] warmed = new byte[PIPELINED * answer.replace("|", "\r\n").length()];
    byte[][] batches = new byte[KEYS / PIPELINED][];
    for (int i = 0; i < batches.length; i++) {
      StringBuilder batch = new StringBuilder();
      for (int j = 0; j < PIPELINED; j++) {
        batch.append(request.formatted(i * PIPELINED + j).replace("|", "\r\n"));
      }
      batches[i] = batch.toString().getBytes(StandardCharsets.US_ASCII);
    }
    // The compiler takes its time on a busy machine; what counts is where it arrives.
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = allocated();
      run(client, batches, warmed, BATCHES);
      least = Math.min(least, (double) (allocated() - before) / BATCHES / PIPELINED);
    }
    System.out.println(name + " " + least);
  }

  private static void run(RawClient client, byte[][] batches, byte[] answers, int times) {
    for (int i = 0; i < times; i++) {
      client.send(batches[i % batches.length]);
      client.readFully(answers, answers.length);
    }
  }

  private static long allocated() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("vert.x-eventloop")) {
        sum += THREADS.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return sum;
  }
}
