package dev.stint.benchmarks.replay;

import dev.stint.benchmarks.Zipf;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A log in the combined format, the same each time: two hours of traffic, where some clients come
 * all the time and most a few times.
 *
 * <p>Every client comes once for certain, at a place of its own; the other lines are drawn.
 */
final class MadeUpLog {

  private static final long START = 1_767_225_600;
  private static final long SECONDS = 7200;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final int lines;
  private final int clients;

  MadeUpLog(int lines, int clients) {
    this.lines = lines;
    this.clients = clients;
  }

  void write(Path file, boolean packed) throws IOException {
    try (OutputStream raw = Files.newOutputStream(file);
        OutputStream out = packed ? new FastGzip(raw) : new BufferedOutputStream(raw, 1 << 16)) {
      write(out);
    }
  }

  private void write(OutputStream out) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    Zipf zipf = new Zipf(clients, 0.9);
    int each = lines / clients;
    String time = "";
    long second = -1;
    for (int i = 0; i < lines; i++) {
      long now = START + i * SECONDS / lines;
      if (now != second) {
        second = now;
        time = TIME.format(Instant.ofEpochSecond(now));
      }
      int client = i % each == 0 && i / each < clients ? i / each : (int) zipf.next(random);
      String line =
          address(client)
              + " - - ["
              + time
              + "] \"GET /item/"
              + random.nextInt(100_000)
              + "?page="
              + random.nextInt(9)
              + " HTTP/1.1\" 200 "
              + random.nextInt(90_000)
              + " \"https://shop.example/list\" \"Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0\"\n";
      out.write(line.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static String address(int client) {
    return "10." + (client >> 16) + "." + (client >> 8 & 255) + "." + (client & 255);
  }

  /** Packs as servers do, who have other things to do. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
