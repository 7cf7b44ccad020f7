package dev.stint.server.admin;

import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.http.HeaderFormat;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A service in virtual time, asked and watched. */
final class Watched implements AutoCloseable {

  static final String TOKEN = "an admin's secret";
  static final Listener ANY = Listener.on("127.0.0.1", 0);

  final ManualTime time = ManualTime.create();
  final HttpClient client = HttpClient.newHttpClient();
  final Service service;

  Watched(Configuration configuration) {
    service = Service.start(configuration, Stores.inMemory(time));
  }

  /** One whose time is real. */
  Watched(Service service) {
    this.service = service;
  }

  static Configuration open(Map<String, PolicySettings> policies) {
    return Configuration.standard()
        .withListeners(new Listeners(ANY, ANY, ANY, ANY))
        .withPolicies(policies);
  }

  static Configuration closed(Map<String, PolicySettings> policies) {
    return open(policies).withListeners(new Listeners(ANY, ANY, ANY, ANY.token(Secret.of(TOKEN))));
  }

  static PolicySettings policy(String limits) {
    return PolicySettings.of(Limit.parseAll(limits));
  }

  static PolicySettings policy(
      String limits,
      boolean hashes,
      boolean shadow,
      Optional<String> candidate,
      PolicySettings.Override... overrides) {
    return new PolicySettings(
        Limit.parseAll(limits),
        hashes,
        shadow,
        OnStoreError.LOCAL,
        HeaderFormat.IETF,
        List.of(overrides),
        candidate);
  }

  /** Policies in this order. */
  static Map<String, PolicySettings> policies(String name, PolicySettings one) {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    policies.put(name, one);
    return policies;
  }

  void hit(String policy, String key, int times) {
    Policy found = Objects.requireNonNull(service.engine().policies().find(policy));
    for (int i = 0; i < times; i++) {
      service.engine().ask(Operation.HIT, found, key.getBytes(StandardCharsets.UTF_8), 1);
    }
  }

  /** Over HTTP, with all that a client sees. */
  HttpResponse<String> ask(String policy, String key) throws IOException, InterruptedException {
    URI hit = URI.create("http://127.0.0.1:" + service.httpPort() + "/v1/hit");
    return client.send(
        HttpRequest.newBuilder(hit)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"policy\":\"" + policy + "\",\"key\":\"" + key + "\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.adminPort() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> act(String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.adminPort() + "/actions"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> order(String action, String policy, String key, long seconds)
      throws IOException, InterruptedException {
    return act(
        "{\"action\":\"%s\",\"policy\":\"%s\",\"key\":\"%s\"%s}"
            .formatted(action, policy, key, seconds == 0 ? "" : ",\"seconds\":" + seconds),
        "Authorization",
        "Bearer " + TOKEN);
  }

  Map<String, @Nullable Object> explain(String policy, String key)
      throws IOException, InterruptedException {
    String path =
        "/explain?policy=" + policy + "&key=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
    return Viewer.object(get(path, "Authorization", "Bearer " + TOKEN).body());
  }

  double metric(String name) throws IOException, InterruptedException {
    return get("/metrics", "Authorization", "Bearer " + TOKEN)
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  Viewer viewer() throws IOException, InterruptedException {
    return new Viewer(client, service.adminPort(), "Authorization", "Bearer " + TOKEN);
  }

  @Override
  public void close() {
    service.close();
  }
}
