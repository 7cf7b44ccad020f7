package dev.stint.studio.log;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What fields are usually called in logs whose fields have names. */
final class Names {

  static final String TIME = "time";
  static final String IP = "ip";
  static final String PATH = "path";
  static final String METHOD = "method";
  static final String HOST = "host";

  /** A whole request line: method and path are in it. */
  static final String REQUEST = "request";

  static final List<String> TIMES_OF_NGINX = List.of("time_iso8601", "msec", "time_local");
  static final List<String> TIMES_OF_ENVOY = List.of("start_time");

  private static final Map<String, List<String>> USUAL =
      Map.of(
          TIME,
          List.of(
              "msec",
              "time_iso8601",
              "time_local",
              "start_time",
              "@timestamp",
              "timestamp",
              "ts",
              "datetime",
              "date"),
          // An address that the proxy found out before one that anybody may have sent.
          IP,
          List.of(
              "remote_addr",
              "downstream_remote_address",
              "client_ip",
              "clientip",
              "remote_ip",
              "client",
              "source_ip",
              "downstream_direct_remote_address",
              "x_forwarded_for",
              "http_x_forwarded_for"),
          "user",
          List.of("remote_user", "user_id", "userid", "username", "user_name"),
          PATH,
          List.of("request_uri", "uri", "url", "request_path", REQUEST),
          METHOD,
          List.of("request_method", "http_method", "verb", REQUEST),
          "status",
          List.of("response_code", "status_code", "code"),
          HOST,
          List.of("http_host", "authority", "server_name", ":authority"));

  private Names() {}

  /**
   * The field among these that is meant: the one of that name, or else what it is usually called.
   */
  static Optional<String> find(String name, Collection<String> present) {
    return Stream.concat(Stream.of(name), USUAL.getOrDefault(name, List.of()).stream())
        .filter(present::contains)
        .findFirst();
  }

  /**
   * Notes a part of the key as it is meant: an address without its port, a path without its
   * question.
   *
   * @param name what was asked for
   * @param field the field that it was found in
   */
  static void part(Entry entry, int part, String name, String field, byte[] b, int from, int to) {
    switch (name) {
      case IP -> address(entry, part, b, from, to);
      case PATH, METHOD -> target(entry, part, name, field, b, from, to);
      case HOST -> {
        int host = Math.max(from, Slices.hostFrom(b, from, to));
        entry.part(part, b, Slices.addressFrom(b, host, to), Slices.hostTo(b, host, to));
      }
      default -> entry.part(part, b, from, to);
    }
  }

  /** The first of a list such as {@code 192.0.2.1, 10.0.0.1}. */
  private static void address(Entry entry, int part, byte[] b, int from, int to) {
    int comma = Slices.find(b, from, to, ',');
    int end = comma < 0 ? to : comma;
    entry.part(part, b, Slices.addressFrom(b, from, end), Slices.addressTo(b, from, end, false));
  }

  private static void target(
      Entry entry, int part, String name, String field, byte[] b, int from, int to) {
    int start = from;
    int end = to;
    if (field.equals(REQUEST)) {
      int space = Slices.find(b, from, to, ' ');
      if (name.equals(METHOD)) {
        entry.part(part, b, from, space < 0 ? from : space);
        return;
      }
      start = space < 0 ? from : space + 1;
      int second = Slices.find(b, start, to, ' ');
      end = second < 0 ? to : second;
    }
    if (name.equals(PATH)) {
      start = Slices.pathFrom(b, start, end);
      end = Slices.pathTo(b, start, end);
    }
    entry.part(part, b, start, end);
  }
}
