package dev.stint.benchmarks.server;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * One who answers.
 *
 * @param pid the process whose use of the processors is told; empty if it is not comparable
 */
record Contestant(String label, Asking asking, OptionalLong pid) {

  /** How it is asked. */
  interface Asking {

    /** As fast as it answers, for so long. */
    Tally closed(long millis) throws IOException, InterruptedException;

    /** At a fixed rate, for so long. */
    default Tally open(double perSecond, long millis) throws IOException {
      throw new UnsupportedOperationException("asked as fast as it answers only");
    }
  }

  /** How a connection of this number talks. */
  interface Language extends IntFunction<Talk> {}

  /** A server, asked over this many connections with so many requests under way on each. */
  static Contestant server(
      String label, long pid, int port, int connections, int depth, Language language) {
    Asking asking =
        new Asking() {
          @Override
          public Tally closed(long millis) throws IOException {
            try (Generator generator = new Generator(port, connections, depth, language)) {
              return generator.closed(millis);
            }
          }

          @Override
          public Tally open(double perSecond, long millis) throws IOException {
            try (Generator generator = new Generator(port, connections, depth, language)) {
              return generator.open(perSecond, millis);
            }
          }
        };
    return new Contestant(label, asking, OptionalLong.of(pid));
  }
}
