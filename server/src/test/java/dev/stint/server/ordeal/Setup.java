package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Reading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Configurations for services under test: free ports of this machine, read from YAML. */
final class Setup {

  /** Room for everybody: nobody is refused who does not ask for it. */
  static final String WIDE =
      """
      listeners: {http: "127.0.0.1:0", grpc: "127.0.0.1:0", resp: "127.0.0.1:0", admin: "127.0.0.1:0"}
      policies:
        api: {limits: 1000000/day fixed-window}
        strict: {limits: 1000000/day fixed-window, on-store-error: deny}
      rls:
        domains:
          - domain: web
            descriptors:
              - key: user
                rate_limit: {unit: day, requests_per_unit: 1000000}
              - key: strict
                rate_limit: {unit: day, requests_per_unit: 1000000, on_store_error: deny}
      """;

  private Setup() {}

  static Configuration read(Path folder, String yaml) {
    try {
      Path file = Files.writeString(folder.resolve("stint.yaml"), yaml);
      Reading reading = ConfigFile.read(file, Map.of());
      assertThat(reading.mistakes()).isEmpty();
      return reading.configuration();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Configuration wide(Path folder) {
    return read(folder, WIDE);
  }

  /** The usual bounds, but so impatient. */
  static Bounds impatient(Duration idle) {
    Bounds usual = Bounds.standard();
    return new Bounds(
        usual.body(),
        usual.headers(),
        usual.key(),
        usual.batch(),
        usual.descriptors(),
        usual.connections(),
        idle,
        usual.drain());
  }
}
