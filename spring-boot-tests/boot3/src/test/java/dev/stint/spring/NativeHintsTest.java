package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.Request;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a native image is told to keep. */
class NativeHintsTest {

  private final RuntimeHints hints = new RuntimeHints();

  @BeforeEach
  void collect() {
    ClassLoader loader = NativeHintsTest.class.getClassLoader();
    SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", loader)
        .load(RuntimeHintsRegistrar.class)
        .stream()
        .filter(registrar -> registrar.getClass().getName().startsWith("dev.stint."))
        .forEach(registrar -> registrar.registerHints(hints, loader));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev/stint/algorithm/state.lua",
        "dev/stint/algorithm/sliding_log.lua",
        "dev/stint/redis/main.lua"
      })
  void scripts_are_kept(String script) {
    assertThat(NativeHintsTest.class.getClassLoader().getResource(script)).isNotNull();
    assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints);
  }

  @Test
  void nothing_else_of_the_packages_is_kept_as_a_resource() {
    assertThat(RuntimeHintsPredicates.resource().forResource("dev/stint/redis/Main.class"))
        .rejects(hints);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.stint.http.Request",
        "dev.stint.http.servlet.ServletCall",
        "dev.stint.spring.WebFluxCall"
      })
  void what_expressions_ask_of_a_request_is_kept(String type) throws Exception {
    assertThat(Request.class).isAssignableFrom(Class.forName(type));
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onType(TypeReference.of(type))
                .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
        .accepts(hints);
  }
}
