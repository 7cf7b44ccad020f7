package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code stint rehearse}: starts the service on free ports, asks it once, and ends. For the
 * launcher, which has the JVM write down what a start needs, so that the next one is quicker.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Starts the service on free ports, asks it once over HTTP and RESP, and ends.",
    mixinStandardHelpOptions = true)
public final class Rehearse implements Callable<Integer> {

  private static final int PATIENCE_MILLIS = 10_000;

  @Override
  public Integer call() throws IOException {
    Listener free = Listener.on(InetAddress.getLoopbackAddress().getHostAddress(), 0);
    Configuration alone =
        Configuration.standard().withListeners(new Listeners(free, free, free, free));
    try (Service service = Service.start(alone)) {
      ask(service.httpPort(), "GET /check?userId=a HTTP/1.1\r\nHost: localhost\r\n\r\n");
      ask(
          service.httpPort(),
          "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 11\r\n\r\n{\"key\":\"a\"}");
      ask(service.respPort(), "STINT.HIT default a\r\n");
      ask(service.adminPort(), "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    return 0;
  }

  /** Sends a request and waits until an answer begins. */
  private static void ask(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      if (socket.getInputStream().read() < 0) {
        throw new IOException("the service must answer, closed the connection: " + request);
      }
    }
  }
}
