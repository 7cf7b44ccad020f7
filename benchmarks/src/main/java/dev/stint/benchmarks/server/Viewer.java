package dev.stint.benchmarks.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Somebody who looks at the dashboard: reads its stream for as long as this is open. */
final class Viewer implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 10_000;

  private final HttpURLConnection connection;
  private final InputStream stream;

  private Viewer(HttpURLConnection connection, InputStream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  /** Looks on until closed; returns when the first picture is there. */
  static Viewer of(int adminPort) throws IOException {
    URI events = URI.create("http://127.0.0.1:" + adminPort + "/events");
    HttpURLConnection connection = (HttpURLConnection) events.toURL().openConnection();
    connection.setReadTimeout(PATIENCE_MILLIS);
    InputStream stream = connection.getInputStream();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); ; line = lines.readLine()) {
      if (line == null) {
        throw new IOException("the dashboard's stream must not end");
      }
      if (line.equals("event: snapshot")) {
        break;
      }
    }
    Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "viewer");
    reader.setUncaughtExceptionHandler((thread, closed) -> {});
    reader.setDaemon(true);
    reader.start();
    return new Viewer(connection, stream);
  }

  /** The same questions, with somebody who looks on meanwhile. */
  static Contestant.Asking watched(Contestant.Asking asking, int adminPort) {
    return millis -> {
      try (Viewer unused = of(adminPort)) {
        return asking.closed(millis);
      }
    };
  }

  @Override
  public void close() throws IOException {
    connection.disconnect();
    stream.close();
  }
}
