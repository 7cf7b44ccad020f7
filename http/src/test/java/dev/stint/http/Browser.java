package dev.stint.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Talks to a server on this machine, over a real socket. */
public final class Browser {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private final String root;

  public Browser(int port) {
    this.root = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
  }

  /** A request for a path, which is sent as it is written. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(root + path)).timeout(Duration.ofSeconds(20));
  }

  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path);
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  public HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    return send(request(path).method(method, BodyPublishers.noBody()));
  }

  public HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  public static String header(HttpResponse<?> response, String name) {
    return String.join(", ", response.headers().allValues(name));
  }
}
