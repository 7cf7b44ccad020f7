package dev.stint.server.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the batch with the largest answer that the service accepts. */
final class LargestBatch {

  private static final int[] CHECKS = {1000, 500, 250, 100, 50, 10};
  private static final int[] LIMITS = {64, 48, 32, 16, 8, 4, 2, 1};
  private static final int TIMEOUT_MILLIS = 5_000;

  private LargestBatch() {}

  /** The batch as JSON, with as many limits in it as are accepted. */
  static byte[] find(Target target) throws IOException {
    for (int size = CHECKS[0] * LIMITS[0]; size > 0; size /= 2) {
      for (int checks : CHECKS) {
        for (int limits : LIMITS) {
          if (checks * limits <= size && checks * limits > size / 2) {
            byte[] batch = batch(checks, limits);
            if (isAccepted(target, batch)) {
              return batch;
            }
          }
        }
      }
    }
    throw new IOException("no batch at all is accepted");
  }

  static byte[] batch(int checks, int limits) {
    String texts =
        IntStream.rangeClosed(1, limits)
            .mapToObj(seconds -> "9/" + seconds + "s")
            .collect(Collectors.joining(";"));
    return IntStream.range(0, checks)
        .mapToObj(key -> "{\"key\":\"" + key + "\",\"limits\":\"" + texts + "\"}")
        .collect(Collectors.joining(",", "{\"checks\":[", "]}"))
        .getBytes(US_ASCII);
  }

  private static boolean isAccepted(Target target, byte[] batch) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(target.address(Target.HTTP));
      socket.getOutputStream().write(post("/v1/batch", target, batch, "Connection: close\r\n"));
      InputStream in = new BufferedInputStream(socket.getInputStream());
      // Enough for the head and the first result; one that is refused begins with its status.
      String answer = new String(in.readNBytes(500), US_ASCII);
      return answer.startsWith("HTTP/1.1 200") && !answer.contains("\"status\":4");
    }
  }

  /** A whole request of HTTP/1.1. */
  static byte[] post(String path, Target target, byte[] body) {
    return post(path, target, body, "");
  }

  private static byte[] post(String path, Target target, byte[] body, String more) {
    return Http2Frames.join(
        ("POST "
                + path
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + (target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n")
                + more
                + "Content-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(US_ASCII),
        body);
  }
}
