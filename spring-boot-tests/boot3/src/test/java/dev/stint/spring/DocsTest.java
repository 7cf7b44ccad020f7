package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.Rule;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Every example of the pages on Spring compiles. They are fenced as {@code java spring}. */
class DocsTest {

  private static final Path PAGE = Path.of("../../docs/spring-boot.md");
  private static final List<Path> MORE =
      List.of(
          Path.of("../../docs/from-bucket4j-starter.md"),
          Path.of("../../docs/from-resilience4j.md"),
          Path.of("../../docs/from-spring-cloud-gateway.md"));
  private static final Pattern EXAMPLE =
      Pattern.compile("^```java spring\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern YAML =
      Pattern.compile("^```yaml\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final String IMPORTS =
      """
      import dev.stint.*;
      import dev.stint.http.*;
      import dev.stint.http.client.*;
      import dev.stint.spring.*;
      import dev.stint.spring.client.*;
      import dev.stint.spring.gateway.RouteLimits;
      import dev.stint.spring.test.*;
      import dev.stint.testkit.*;
      import java.lang.annotation.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import org.junit.jupiter.api.Test;
      import org.springframework.beans.factory.annotation.*;
      import org.springframework.boot.test.context.*;
      import org.springframework.context.annotation.*;
      import org.springframework.context.event.EventListener;
      import org.springframework.core.annotation.AliasFor;
      import org.springframework.http.*;
      import org.springframework.security.config.web.server.ServerHttpSecurity;
      import org.springframework.security.web.server.SecurityWebFilterChain;
      import org.springframework.security.web.server.authentication.RedirectServerAuthenticationFailureHandler;
      import org.springframework.stereotype.*;
      import org.springframework.web.bind.annotation.*;
      import org.springframework.web.client.RestClient;
      import org.springframework.web.reactive.function.client.WebClient;
      import org.springframework.web.servlet.function.*;
      import reactor.core.publisher.*;
      """;

  @TempDir Path classes;

  @Test
  void examples_compile() throws IOException {
    List<String> examples = new ArrayList<>(blocks(EXAMPLE, PAGE));
    assertThat(examples).hasSizeGreaterThan(2);
    for (Path page : MORE) {
      examples.addAll(blocks(EXAMPLE, page));
    }
    for (String example : examples) {
      assertThat(errors(example)).as(example).isEmpty();
    }
  }

  private static List<String> blocks(Pattern fence, Path page) throws IOException {
    return fence.matcher(Files.readString(page)).results().map(one -> one.group(1)).toList();
  }

  @Test
  void rules_of_other_pages_are_understood() throws IOException {
    for (Path page : MORE) {
      List<String> rules =
          blocks(YAML, page).stream().filter(yaml -> yaml.contains("stint:\n  rules:")).toList();
      assertThat(rules).as(page.toString()).isNotEmpty();
      for (String yaml : rules) {
        List<PropertySource<?>> properties =
            new YamlPropertySourceLoader()
                .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        new ApplicationContextRunner()
            .withInitializer(
                context -> context.getEnvironment().getPropertySources().addLast(properties.get(0)))
            .withConfiguration(AutoConfigurations.of(StintAutoConfiguration.class))
            .run(context -> assertThat(context.getBean(HttpLimiters.class).rules()).hasSize(1));
      }
    }
  }

  /** With a store in memory, since there is no Redis here. */
  @Test
  void the_full_form_is_understood() throws IOException {
    String yaml = YAML.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow().group(1);
    List<PropertySource<?>> properties =
        new YamlPropertySourceLoader()
            .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
    new ApplicationContextRunner()
        .withInitializer(
            context -> context.getEnvironment().getPropertySources().addLast(properties.get(0)))
        .withPropertyValues("stint.store=memory")
        .withConfiguration(AutoConfigurations.of(StintAutoConfiguration.class))
        .run(
            context -> {
              HttpLimiters limiters = context.getBean(HttpLimiters.class);
              assertThat(limiters.beforeAuthentication().rules())
                  .extracting(Rule::name)
                  .containsExactly("api", "login", "search");
              assertThat(limiters.afterAuthentication().rules())
                  .extracting(Rule::name)
                  .containsExactly("export");
            });
  }

  /** Plans, as the page has them. */
  static class Plans {}

  @Test
  void rules_that_depend_on_the_caller_are_understood() throws IOException {
    String yaml =
        blocks(YAML, PAGE).stream()
            .filter(block -> block.contains("@plans"))
            .findFirst()
            .orElseThrow();
    List<PropertySource<?>> properties =
        new YamlPropertySourceLoader()
            .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
    new ApplicationContextRunner()
        .withInitializer(
            context -> context.getEnvironment().getPropertySources().addLast(properties.get(0)))
        .withBean("plans", Plans.class)
        .withConfiguration(AutoConfigurations.of(StintAutoConfiguration.class))
        .run(
            context -> {
              HttpLimiters limiters = context.getBean(HttpLimiters.class);
              assertThat(limiters.beforeAuthentication().rules())
                  .extracting(Rule::name)
                  .containsExactly("trial", "search");
              assertThat(limiters.afterAuthentication().rules())
                  .extracting(Rule::name)
                  .containsExactly("api");
            });
  }

  @Test
  void a_slip_in_an_example_is_noticed() {
    assertThat(errors("@RateLimited(\"1/min\") class Good {}")).isEmpty();
    assertThat(errors("@RateLimited(limit = \"1/min\") class Bad {}")).isNotEmpty();
  }

  private List<String> errors(String example) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> options = new ArrayList<>(List.of("-proc:none", "-Xlint:none"));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    options.addAll(List.of("-d", classes.toString()));
    ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, diagnostics, options, null, List.of(source(IMPORTS + example)))
        .call();
    return diagnostics.getDiagnostics().stream().map(Object::toString).toList();
  }

  private static JavaFileObject source(String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
