package dev.stint.redis;

import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import java.util.ArrayList;
import java.util.List;

/** What lies in a server, seen without a store. */
final class Places {

  private Places() {}

  /** The names of all keys. */
  static List<String> of(RedisServer server) {
    List<String> places = new ArrayList<>();
    try (Resp resp = server.resp()) {
      String cursor = "0";
      do {
        List<?> page = resp.list("SCAN", cursor, "COUNT", "1000");
        cursor = (String) page.get(0);
        for (Object place : (List<?>) page.get(1)) {
          places.add((String) place);
        }
      } while (!cursor.equals("0"));
    }
    return places;
  }

  /** The milliseconds a key has left; -1 if it stays for ever, -2 if it is gone. */
  static long ttl(RedisServer server, String place) {
    try (Resp resp = server.resp()) {
      return resp.number("PTTL", place);
    }
  }
}
