package dev.stint.server.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Asks the admin port of a running service. */
final class AdminPort {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_ANSWER = 16 << 20;

  private final URI url;
  private final Optional<String> token;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  AdminPort(URI url, Optional<String> token) {
    this.url = url;
    this.token = token;
  }

  static String query(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&", "?", ""));
  }

  /** The body of a page. */
  String get(String path) throws Trouble, InterruptedException {
    try (InputStream body = open(path)) {
      return new String(body.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw away();
    }
  }

  /** A page that is read as it comes. */
  InputStream open(String path) throws Trouble, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
      token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (SSLException e) {
      throw new Trouble(
          "the certificate at "
              + url
              + " must be one that Java trusts, was not: name a trust store in JAVA_TOOL_OPTIONS"
              + " with -Djavax.net.ssl.trustStore=FILE; or it speaks no TLS there");
    } catch (IOException e) {
      throw away();
    } catch (IllegalArgumentException e) { // a token that no header can carry; it is not told
      throw new Trouble("the token must be printable ASCII in one line, was not");
    }
    if (response.statusCode() == 200) {
      return response.body();
    }
    throw refused(response);
  }

  /** What answers, but not as a service does. */
  Trouble stranger(String how) {
    return new Trouble(
        "what answers at "
            + url
            + " with "
            + how
            + " is not the admin port of a service of this version; say with --admin where it is");
  }

  private Trouble away() {
    return new Trouble(
        "no service answers at "
            + url
            + "; start one with 'stint serve', or say with --admin where its admin port is");
  }

  private Trouble refused(HttpResponse<InputStream> response) {
    int status = response.statusCode();
    String error = "";
    try (InputStream body = response.body()) {
      String text = new String(body.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
      error = text.startsWith("{") ? Tree.of(text).text("error") : "";
    } catch (JsonProcessingException e) {
      return stranger(Integer.toString(status));
    } catch (IOException e) {
      return away();
    }
    if (status == 401) {
      return new Trouble(
          token.isEmpty()
              ? "the service at "
                  + url
                  + " wants a token: give --token-file FILE, or put it in"
                  + " STINT_ADMIN_TOKEN"
              : "the service at " + url + " knows another token than the one that was given");
    }
    return error.isEmpty() ? stranger(Integer.toString(status)) : new Trouble(Tree.shown(error));
  }
}
