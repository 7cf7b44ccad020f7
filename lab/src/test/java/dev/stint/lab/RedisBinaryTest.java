package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RedisBinaryTest {
  @Test
  void is_executable_and_tells_its_version() {
    RedisBinary binary = RedisBinary.get();

    assertThat(Files.isExecutable(binary.path())).isTrue();
    assertThat(binary.version()).matches("\\d+\\.\\d+\\.\\d+.*");
  }

  @Test
  void is_unpacked_once() {
    assertThat(RedisBinary.get()).isSameAs(RedisBinary.get());
  }

  @Test
  void is_carried_for_linux_and_macos_on_two_architectures() {
    for (String os : new String[] {"Linux", "Mac OS X"}) {
      for (String arch : new String[] {"amd64", "x86_64", "aarch64", "arm64"}) {
        String resource = RedisBinary.resourceName(os, arch);
        assertThat(RedisBinary.class.getResource(resource)).as(resource).isNotNull();
      }
    }
  }

  @Test
  void names_the_property_where_none_is_carried() {
    assertThatThrownBy(() -> RedisBinary.resourceName("Windows 11", "amd64"))
        .hasMessage(
            "the carried Redis runs on Linux and macOS, x86_64 and arm64: Windows 11 amd64; "
                + "name a redis-server or valkey-server with -Dstint.redis.server=/path/to/it");
  }

  @Test
  void must_be_executable() {
    assertThatThrownBy(() -> RedisBinary.of(Path.of("/no/such/redis-server")))
        .hasMessage(
            "the server program must be executable: /no/such/redis-server; "
                + "see -Dstint.redis.server");
  }
}
