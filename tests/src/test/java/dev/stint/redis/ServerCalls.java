package dev.stint.redis;

import dev.stint.lab.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often a server has been called by function and by script, without those that failed. */
record ServerCalls(long functions, long scripts) {

  static ServerCalls of(RedisServer server) {
    String stats = server.ask("INFO", "commandstats");
    return new ServerCalls(count(stats, "fcall"), count(stats, "evalsha") + count(stats, "eval"));
  }

  ServerCalls since(ServerCalls before) {
    return new ServerCalls(functions - before.functions, scripts - before.scripts);
  }

  private static long count(String stats, String command) {
    Matcher line =
        Pattern.compile("cmdstat_" + command + ":calls=(\\d+),.*failed_calls=(\\d+)")
            .matcher(stats);
    return line.find() ? Long.parseLong(line.group(1)) - Long.parseLong(line.group(2)) : 0;
  }
}
