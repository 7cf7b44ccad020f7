package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends every spelling of some paths to a server, over sockets: no client tidies them up. Whatever
 * the server routes to a handler, the handler's rule must have counted.
 *
 * <p>Each handler names itself in the header {@code X-Handler}, and its rule has the same name. So
 * does a handler for everything else, whose rule is for no path.
 */
public final class PathTable {

  /** The handlers: their names, their patterns, and a path of each. */
  public enum Handler {
    FILES("files", "/files/**", "/files/a/b"),
    ORDERS("orders", "/orders/{id}", "/orders/7"),
    ADMIN("admin", "/admin/users", "/admin/users");

    private final String rule;
    private final String pattern;
    private final String path;

    Handler(String rule, String pattern, String path) {
      this.rule = rule;
      this.pattern = pattern;
      this.path = path;
    }

    /** The name of the handler and of its rule. */
    public String rule() {
      return rule;
    }

    /** The pattern that the rule has. */
    public String pattern() {
      return pattern;
    }
  }

  private static final int LEAST = 200;
  private static final Pattern HANDLED =
      Pattern.compile("(?im)^x-handler: *([a-z]+)", Pattern.CASE_INSENSITIVE);

  private PathTable() {}

  /** A limiter with the rules of all handlers. */
  public static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (Handler handler : Handler.values()) {
      rules.add(Rule.of(handler.rule, "1000000/day").on(handler.pattern));
    }
    return rules;
  }

  /** Asserts it, and that the handlers were reached by enough spellings for that to mean much. */
  public static void assertCounted(int port, int fewest) throws IOException {
    assertCounted(port, "", fewest);
  }

  /** The same for an application under a context path, which is spelled in every way too. */
  public static void assertCounted(int port, String context, int fewest) throws IOException {
    List<String> dodged = new ArrayList<>();
    int sent = 0;
    int handled = 0;
    for (Handler handler : Handler.values()) {
      List<String> spellings = PathSpellings.of(context + handler.path);
      assertThat(spellings).hasSizeGreaterThanOrEqualTo(LEAST);
      for (String spelling : spellings) {
        sent++;
        String response = get(port, spelling);
        Matcher found = HANDLED.matcher(response);
        if (found.find() && !found.group(1).equals("other")) {
          handled++;
          if (!counts(response, found.group(1))) {
            dodged.add(found.group(1) + " by " + spelling);
          }
        }
      }
    }
    assertThat(dodged).as("%d of %d spellings were handled", handled, sent).isEmpty();
    assertThat(handled).isGreaterThanOrEqualTo(fewest);
  }

  private static boolean counts(String response, String rule) {
    for (String line : response.split("\r\n", -1)) {
      if (line.regionMatches(true, 0, "RateLimit-Policy:", 0, 17)
          && line.contains("\"" + rule + "\"")) {
        return true;
      }
    }
    return false;
  }

  /** The response to a request whose target is written as it is, byte for byte. */
  public static String get(int port, String target) throws IOException {
    return send(
        port, "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  }

  /** The response to these bytes; empty if the server closes the connection without one. */
  public static String send(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      ByteArrayOutputStream response = new ByteArrayOutputStream();
      try {
        InputStream in = socket.getInputStream();
        in.transferTo(response);
      } catch (SocketException e) {
        // reset by the server: what came before it counts
      }
      return response.toString(StandardCharsets.ISO_8859_1);
    }
  }
}
