package dev.stint.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stint.Limit;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A service on a free port, in virtual time, with a client that was not written here. */
final class RunningHttp implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  final ManualTime time = ManualTime.create();
  final Service service;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private RunningHttp(Service service) {
    this.service = service;
  }

  private RunningHttp(Configuration configuration) {
    this.service =
        Service.start(
            configuration, new Engine(configuration, Stores.inMemory(time), Watch.NOBODY));
  }

  static RunningHttp start() {
    return start(standard());
  }

  static RunningHttp start(Configuration configuration) {
    return new RunningHttp(configuration);
  }

  /** With the store of the configuration, in real time. */
  static RunningHttp startAsConfigured(Configuration configuration) {
    return new RunningHttp(Service.start(configuration));
  }

  static Configuration standard() {
    return onlyHttp(Configuration.standard());
  }

  static Configuration with(String policy, String limits) {
    return with(policy, PolicySettings.of(Limit.parseAll(limits)));
  }

  static Configuration with(String policy, PolicySettings settings) {
    Configuration standard = standard();
    Map<String, PolicySettings> policies = new LinkedHashMap<>(standard.policies());
    policies.put(policy, settings);
    return standard.withPolicies(policies);
  }

  static Configuration onlyHttp(Configuration configuration) {
    Listener off = Listener.on(Listener.OFF);
    return configuration.withListeners(new Listeners(Listener.on("127.0.0.1", 0), off, off, off));
  }

  String address() {
    return "http://127.0.0.1:" + service.httpPort();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address() + path));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    return send(client, request);
  }

  static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> get(String path) {
    return send(request(path));
  }

  HttpResponse<String> post(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  /** The sentence of a refusal. */
  static String detail(HttpResponse<String> response) {
    return json(response).path("detail").asText();
  }

  static JsonNode json(HttpResponse<String> response) {
    return json(response.body());
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection for bytes of the test's own. */
  Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), service.httpPort());
  }

  /** Sends bytes as they are, and answers all that comes back until the connection is closed. */
  String raw(String bytes) throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    service.close();
  }
}
