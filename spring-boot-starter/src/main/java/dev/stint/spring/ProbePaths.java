package dev.stint.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The paths of the actuator's health on the application's own port, which rules without a pattern
 * leave out: an orchestrator that is refused by a limit would restart an application that is well.
 */
final class ProbePaths {

  private static final String ACTUATOR =
      "org.springframework.boot.actuate.endpoint.annotation.Endpoint";
  private static final String WEB = "management.endpoints.web.";
  private static final String HEALTH = "management.endpoint.health.";

  private ProbePaths() {}

  /** As patterns; none without an actuator. */
  static List<String> of(Environment environment) {
    Integer actuatorPort = environment.getProperty("management.server.port", Integer.class);
    boolean isDisabled = actuatorPort != null && actuatorPort < 0;
    if (isDisabled || !ClassUtils.isPresent(ACTUATOR, ProbePaths.class.getClassLoader())) {
      return List.of();
    }
    List<String> patterns = new ArrayList<>();
    if (actuatorPort == null || isPortOfApplication(actuatorPort, environment)) {
      patterns.add(health(environment));
    }
    // These are on the application's port also where the actuator has a port of its own.
    if (environment.getProperty(HEALTH + "probes.add-additional-paths", Boolean.class, false)) {
      patterns.add("/livez");
      patterns.add("/readyz");
    }
    groups(environment).values().stream()
        .map(group -> String.valueOf(group.get("additional-path")))
        .filter(path -> path.startsWith("server:"))
        .forEach(path -> patterns.add(exactly(joined(path.substring("server:".length())))));
    return patterns;
  }

  /** As Boot decides; 0 is a free port, which differs from every other. */
  private static boolean isPortOfApplication(int port, Environment environment) {
    return port != 0 && port == environment.getProperty("server.port", Integer.class, 8080);
  }

  private static String health(Environment environment) {
    String servlet = joined(environment.getProperty("spring.mvc.servlet.path", "/"));
    String base = joined(environment.getProperty(WEB + "base-path", "/actuator"));
    String health = joined(environment.getProperty(WEB + "path-mapping.health", "health"));
    // At the root, everything below it is the application's.
    return base.isEmpty() && health.isEmpty() ? exactly(servlet) : servlet + base + health + "/**";
  }

  private static String exactly(String path) {
    return path.isEmpty() ? "/" : path;
  }

  private static Map<String, Map<String, Object>> groups(Environment environment) {
    Bindable<Map<String, Map<String, Object>>> type =
        Bindable.of(
            ResolvableType.forClassWithGenerics(
                Map.class,
                ResolvableType.forClass(String.class),
                ResolvableType.forClassWithGenerics(Map.class, String.class, Object.class)));
    return Binder.get(environment).bind(HEALTH + "group", type).orElse(Map.of());
  }

  /** With a slash in front and none behind; empty for the root. */
  private static String joined(String path) {
    String rest = path.strip();
    rest = rest.startsWith("/") ? rest : "/" + rest;
    return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
  }
}
