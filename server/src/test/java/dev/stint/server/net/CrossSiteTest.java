package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.HostAndPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which origins are the service's own. */
class CrossSiteTest {

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080,        localhost:8080,       false",
    "http://LOCALHOST:8080,        localhost:8080,       false",
    "http://127.0.0.1:8080,        127.0.0.1:8080,       false",
    "http://[::1]:8080,            [::1]:8080,           false",
    "http://10.0.0.7,              10.0.0.7,             false",
    "http://10.0.0.7,              10.0.0.7:80,          false",
    "https://stint.example,        stint.example,        true",
    "https://stint.example,        stint.example:443,    true",
    "https://stint.example:8443,   stint.example:8443,   true",
  })
  void the_address_that_was_asked_is(String origin, String sentTo, boolean encrypted) {
    assertThat(CrossSite.isOwn(origin, HostAndPort.parseAuthority(sentTo, -1), encrypted)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "null,                         localhost:8080,       false",
    "'',                           localhost:8080,       false",
    "http://,                      localhost:8080,       false",
    "http://localhost:9090,        localhost:8080,       false",
    "http://localhost,             localhost:8080,       false",
    "http://127.0.0.1:8080,        localhost:8080,       false",
    "https://localhost:8080,       localhost:8080,       false",
    "http://localhost:8080,        localhost:8080,       true",
    "http://evil.example,          localhost:8080,       false",
    "http://localhost.evil.example:8080, localhost:8080, false",
    "http://localhost:8080.evil.example, localhost:8080, false",
    "http://localhost:8080@evil.example, localhost:8080, false",
    "chrome-extension://abc,       localhost:8080,       false",
    "file://,                      localhost:8080,       false",
  })
  void others_are_not(String origin, String sentTo, boolean encrypted) {
    assertThat(CrossSite.isOwn(origin, HostAndPort.parseAuthority(sentTo, -1), encrypted))
        .isFalse();
  }

  /** Its owner may have let it point here after the page was loaded. */
  @ParameterizedTest
  @CsvSource({"http://evil.example:8080,evil.example:8080", "http://evil.example,evil.example"})
  void a_name_without_encryption_is_not_though_it_was_asked(String origin, String sentTo) {
    assertThat(CrossSite.isOwn(origin, HostAndPort.parseAuthority(sentTo, -1), false)).isFalse();
  }
}
