package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.docs.Page;
import dev.stint.server.engine.Stores;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of metrics in {@code docs/server.md} is that of a service that has done everything. */
class MetricsTableTest {

  private static final String EVERYTHING =
      """
      policies:
        default: {limits: 5/minute, candidate: other}
        other: 3/minute
      rls:
        domains:
          - domain: web
            descriptors: [{key: path, rate_limit: {unit: minute, requests_per_unit: 5}}]
      """;

  private static final Pattern TYPE = Pattern.compile("# TYPE (stint_\\w+) \\w+");
  private static final Pattern SAMPLE = Pattern.compile("(stint_\\w+?)(_bucket|_count|_sum)?\\{.*");
  private static final Pattern LABEL = Pattern.compile("[{,](\\w+)=\"");

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void every_metric_is_in_the_table_with_its_labels(@TempDir Path folder) throws Exception {
    Map<String, Set<String>> told = new TreeMap<>();
    Page.of("docs/server.md")
        .rows("## Metrics")
        .forEach(row -> told.put(Page.quoted(row.get(0)).get(0), labels(row.get(1))));

    assertThat(told).isEqualTo(labelled(metrics(folder)));
  }

  /** The first word of each pair; what stands behind a colon are values. */
  private static Set<String> labels(String cell) {
    Set<String> labels = new TreeSet<>();
    boolean isValue = false;
    for (String part : cell.split(", ", -1)) {
      if (!isValue) {
        labels.addAll(Page.quoted(part.split(":", -1)[0]));
      }
      isValue |= part.contains(":");
    }
    return labels;
  }

  private static Map<String, Set<String>> labelled(String metrics) {
    Map<String, Set<String>> labels = new TreeMap<>();
    for (String line : metrics.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        labels.put(type.group(1), new TreeSet<>());
      }
      Matcher sample = SAMPLE.matcher(line);
      Set<String> found = sample.matches() ? labels.get(sample.group(1)) : null;
      if (found != null) {
        LABEL.matcher(line).results().forEach(label -> found.add(label.group(1)));
        found.remove("le");
      }
    }
    return labels;
  }

  private String metrics(Path folder) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve(ConfigFile.NAME), EVERYTHING);
    Listener free = Listener.on("127.0.0.1", 0);
    Configuration configuration =
        ConfigFile.read(file, Map.of())
            .configuration()
            .withListeners(new Listeners(free, free, free, free, free));
    try (Service service = Service.start(configuration, Stores.inMemory(ManualTime.create()))) {
      new ReloadLog().show(service.metrics());
      String http = "http://127.0.0.1:" + service.httpPort();
      post(http + "/v1/hit", "{\"key\":\"alice\"}");
      post(
          http + "/json",
          "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"path\",\"value\":\"/\"}]}]}");
      return send(
          HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + service.adminPort() + "/metrics")));
    }
  }

  private void post(String address, String body) throws IOException, InterruptedException {
    send(
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString()).body();
  }
}
