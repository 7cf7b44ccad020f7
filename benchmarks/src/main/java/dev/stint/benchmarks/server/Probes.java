package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Spread;
import dev.stint.benchmarks.server.RespTalk.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What is measured of the service alone: its first answer, its memory, what it allocates. */
final class Probes {

  private static final int MILLION = 1_000_000;
  private static final int UNDER_WAY = 64;
  private static final int WARM_UP_MILLIS = 3_000;
  private static final int COUNTED = 20_000;

  private final Servers servers;
  private final Contests contests;

  Probes(Servers servers, Contests contests) {
    this.servers = servers;
    this.contests = contests;
  }

  /** Milliseconds from the start of the process to the first answer over HTTP. */
  Spread firstAnswer(int starts) throws IOException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      try (ServerProcess service = servers.fresh()) {
        byte[] unused =
            Connection.sample(service.port("http"), new HttpTalk(Requests.http(1).from(0)));
        millis.add((System.nanoTime() - service.begun()) / 1e6);
      }
    }
    return Spread.of(millis);
  }

  /** Hits a million keys of a fresh service once, under a limit that remembers them. */
  Figures.Memory memory() throws IOException {
    Requests requests = Requests.command(MILLION, "STINT.HIT", Servers.LASTING_POLICY, "KEY");
    try (ServerProcess service = servers.fresh()) {
      double before = Proc.megabytes(service.pid(), "VmRSS");
      try (Generator generator =
          new Generator(
              service.port("resp"),
              1, // so that every key is asked for once
              UNDER_WAY,
              i -> new RespTalk(requests.from(0), Form.HIT))) {
        Tally unused = generator.all(MILLION).checked("a million keys");
      }
      return new Figures.Memory(
          MILLION,
          before,
          Proc.megabytes(service.pid(), "VmRSS"),
          Proc.megabytes(service.pid(), "VmHWM"));
    }
  }

  /** Bytes that the event loops allocate for a request, beside those for a PING. */
  List<Figures.Allocation> allocations() throws IOException {
    ServerProcess service = servers.inMemory();
    List<Figures.Allocation> figures = new ArrayList<>();
    try (EventLoops loops = EventLoops.of(service.pid())) {
      for (int depth : new int[] {Contests.DEPTH, 1}) {
        double ping = bytes(loops, service, depth, contests.ping(1));
        figures.add(
            new Figures.Allocation(
                "CL.THROTTLE", depth, bytes(loops, service, depth, contests.throttle(1)), ping));
        figures.add(
            new Figures.Allocation(
                "STINT.HIT", depth, bytes(loops, service, depth, contests.hit(1)), ping));
      }
    }
    return figures;
  }

  private static double bytes(
      EventLoops loops, ServerProcess service, int depth, Contestant.Language language)
      throws IOException {
    try (Generator generator = new Generator(service.port("resp"), 1, depth, language)) {
      Tally unused = generator.closed(WARM_UP_MILLIS).checked("a request");
      long count = (long) COUNTED * depth;
      long before = loops.allocated();
      Tally unusedToo = generator.all(count).checked("a request");
      long bytes = loops.allocated() - before;
      return bytes / (double) count;
    }
  }
}
