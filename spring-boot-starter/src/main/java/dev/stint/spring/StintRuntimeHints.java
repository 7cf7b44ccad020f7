package dev.stint.spring;

import dev.stint.http.IpAddress;
import dev.stint.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep although no code names it. */
final class StintRuntimeHints implements RuntimeHintsRegistrar {

  /** What the expressions of rules are read over. */
  private static final List<String> REQUESTS =
      List.of(
          Request.class.getName(),
          IpAddress.class.getName(),
          "dev.stint.http.servlet.ServletCall",
          "dev.stint.spring.WebFluxCall");

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    hints.resources().registerPattern("dev/stint/algorithm/*.lua");
    hints.resources().registerPattern("dev/stint/redis/*.lua");
    for (String type : REQUESTS) {
      hints.reflection().registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
    // BootRedis reads which kind of connection it is.
    hints
        .reflection()
        .registerTypeIfPresent(
            loader,
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
            connections -> connections.withField("configuration"));
  }
}
