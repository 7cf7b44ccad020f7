package dev.stint.benchmarks.server;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ports of a server, read from what it prints when it starts. */
final class Ports {

  /** A line with a wire's name, then its port, with or without an address before it. */
  private static final Pattern PORT =
      Pattern.compile("^(http|grpc|resp|admin) +(?:\\S*:)?(\\d{1,5})$");

  private final Map<String, Integer> numbers = new HashMap<>();

  /** Takes in another line. */
  void read(String line) {
    Matcher port = PORT.matcher(line);
    if (port.matches()) {
      numbers.put(port.group(1), Integer.valueOf(port.group(2)));
    }
  }

  boolean has(Iterable<String> wires) {
    for (String wire : wires) {
      if (!numbers.containsKey(wire)) {
        return false;
      }
    }
    return true;
  }

  int of(String wire) {
    Integer number = numbers.get(wire);
    if (number == null) {
      throw new IllegalStateException(
          "a server must print the port of " + wire + ": it printed those of " + numbers.keySet());
    }
    return number;
  }
}
