package dev.stint.server.inspect;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the service is. Its token is never an argument, since those can be read by others. */
final class AdminOptions {

  private static final String VARIABLE = "STINT_ADMIN_TOKEN";
  private static final int HIGHEST_PORT = 65_535;

  private final Map<String, String> environment;

  @Option(
      names = "--admin",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:9090",
      description =
          "The admin port of the service: a port, HOST:PORT or a URL (default: ${DEFAULT-VALUE}).")
  private String admin = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file with the token, if there is one; else STINT_ADMIN_TOKEN is looked at.")
  private @Nullable Path tokenFile;

  AdminOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The port that the options mean. */
  AdminPort port(CommandLine line) {
    URI url = url(line);
    return new AdminPort(url, token(line));
  }

  private URI url(CommandLine line) {
    String whole = whole(admin);
    try {
      URI url = new URI(whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole);
      boolean isWeb = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      boolean hasPort = url.getPort() == -1 || (url.getPort() > 0 && url.getPort() <= HIGHEST_PORT);
      if (isWeb
          && hasPort
          && url.getHost() != null
          && url.getUserInfo() == null
          && url.getQuery() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw wrong(line);
    }
    throw wrong(line);
  }

  /** With what goes without saying: a service of this machine, without TLS. */
  private static String whole(String given) {
    if (given.matches("[0-9]+")) {
      return "http://127.0.0.1:" + given;
    }
    return given.matches("[^/]+:[0-9]+/?") ? "http://" + given : given;
  }

  /** What was given is not repeated if there may be a token in it. */
  private ParameterException wrong(CommandLine line) {
    boolean mayHaveSecret = admin.contains("@") || admin.contains("?");
    return new ParameterException(
        line,
        "--admin must be a port, HOST:PORT or a URL such as http://127.0.0.1:9090, "
            + (mayHaveSecret
                ? "without a user or a query; a token goes into --token-file"
                : "was '" + Tree.shown(admin) + "'"));
  }

  private Optional<String> token(CommandLine line) {
    if (tokenFile == null) {
      return Optional.ofNullable(environment.get(VARIABLE))
          .map(String::strip)
          .filter(is -> !is.isEmpty());
    }
    try {
      String token = Files.readString(tokenFile).strip();
      if (!token.isEmpty()) {
        return Optional.of(token);
      }
    } catch (IOException e) {
      throw new ParameterException(
          line, "--token-file must be a file that can be read, was not: " + tokenFile, e);
    }
    throw new ParameterException(
        line, "--token-file must have a token in it, was empty: " + tokenFile);
  }
}
