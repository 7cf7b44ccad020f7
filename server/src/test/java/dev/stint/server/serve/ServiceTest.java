package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {

  @Test
  void a_port_that_cannot_be_opened_is_named(@TempDir Path folder) throws Exception {
    Path garbage =
        Files.writeString(
            folder.resolve("garbage.pem"),
            """
            -----BEGIN CERTIFICATE-----
            AAAA
            -----END CERTIFICATE-----
            -----BEGIN PRIVATE KEY-----
            AAAA
            -----END PRIVATE KEY-----
            """);
    Listener any = Listener.on("127.0.0.1", 0);
    Listener encrypted = any.tls(new Tls(garbage, garbage, null));
    Configuration configuration =
        Configuration.standard().withListeners(new Listeners(any, any, encrypted, any));
    assertThatThrownBy(() -> Service.start(configuration))
        .hasMessageStartingWith("resp cannot listen on 127.0.0.1:0 (");
  }
}
