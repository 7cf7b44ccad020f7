package dev.stint.studio.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common log format, and the combined one, which adds referer and agent; whatever follows is
 * left alone.
 *
 * <pre>192.0.2.7 - ada [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.1" 200 2326 "-" "curl"</pre>
 */
final class AccessFormat implements LineFormat {

  static final List<String> FIELDS =
      List.of("ip", "ident", "user", "method", "path", "status", "bytes", "referer", "agent");

  private static final int IP = 0;
  private static final int IDENT = 1;
  private static final int USER = 2;
  private static final int METHOD = 3;
  private static final int PATH = 4;
  private static final int STATUS = 5;
  private static final int BYTES = 6;
  private static final int REFERER = 7;
  private static final int AGENT = 8;

  private final Wanted wanted;
  private final int[] by;
  private final int cost;
  private final boolean whole;
  private final TimeText time = new TimeText();
  private final int[] starts = new int[FIELDS.size()];
  private final int[] ends = new int[FIELDS.size()];
  private int combined;
  private int sampled;

  AccessFormat(Wanted wanted) {
    this.wanted = wanted;
    by = wanted.by().stream().mapToInt(name -> Wanted.index(name, FIELDS)).toArray();
    cost = wanted.cost() == null ? -1 : Wanted.index(wanted.cost(), FIELDS);
    boolean tail = cost >= BYTES;
    for (int field : by) {
      tail |= field >= BYTES;
    }
    whole = tail;
  }

  @Override
  public String name() {
    return combined * 2 > sampled ? "combined" : "common";
  }

  @Override
  public String taken() {
    return wanted.clients();
  }

  @Override
  public boolean hasFractions() {
    return time.hasFractions();
  }

  @Override
  public @Nullable String read(byte[] b, int from, int to, Entry entry) {
    int ip = Slices.find(b, from, to, ' ');
    int ident = ip < 0 ? -1 : Slices.find(b, ip + 1, to, ' ');
    if (ident < 0) {
      return "no address, identity and user at its beginning";
    }
    // The name of a user may have spaces.
    int user = Slices.find(b, ident + 1, to, '[') - 1;
    if (user <= ident || b[user] != ' ') {
      return "no [time] after the user";
    }
    int close = Slices.find(b, user + 2, to, ']');
    entry.micros = close < 0 ? TimeText.NONE : time.read(b, user + 2, close);
    if (entry.micros == TimeText.NONE) {
      return "no time of the years " + TimeText.YEARS + " in the brackets";
    }
    if (close + 2 >= to || b[close + 2] != '"') {
      return "no \"request\" after the time";
    }
    int quote = Slices.closingQuote(b, close + 3, to);
    if (quote < 0) {
      return "the request's closing quote is missing";
    }
    int status = quote + 2;
    if (status + 2 >= to || b[quote + 1] != ' ' || !isStatus(b, status)) {
      return "no status of three digits after the request";
    }
    field(IP, from, ip);
    field(IDENT, ip + 1, ident);
    field(USER, ident + 1, user);
    field(STATUS, status, status + 3);
    request(b, close + 3, quote);
    // The first lines are read to their end to see which of the formats it is.
    boolean sample = sampled < Recognition.SAMPLE;
    if (whole || sample) {
      tail(b, status + 3, to);
    }
    if (sample) {
      sampled++;
      combined += ends[AGENT] > 0 ? 1 : 0;
    }
    return fill(b, entry);
  }

  private static boolean isStatus(byte[] b, int at) {
    return b[at] >= '0'
        && b[at] <= '9'
        && b[at + 1] >= '0'
        && b[at + 1] <= '9'
        && b[at + 2] >= '0'
        && b[at + 2] <= '9';
  }

  private void request(byte[] b, int from, int to) {
    int space = Slices.find(b, from, to, ' ');
    int target = space < 0 ? from : space + 1;
    int end = Slices.find(b, target, to, ' ');
    end = end < 0 ? to : end;
    int path = Slices.pathFrom(b, target, end);
    field(METHOD, from, space < 0 ? from : space);
    field(PATH, path, Slices.pathTo(b, path, end));
  }

  private void tail(byte[] b, int from, int to) {
    int bytes = Math.min(from + 1, to);
    int end = Slices.find(b, bytes, to, ' ');
    field(BYTES, bytes, end < 0 ? to : end);
    int at = quoted(b, REFERER, end < 0 ? to : end, to);
    int unused = quoted(b, AGENT, at, to);
  }

  private int quoted(byte[] b, int field, int at, int to) {
    int closing = at + 1 < to && b[at + 1] == '"' ? Slices.closingQuote(b, at + 2, to) : -1;
    field(field, closing < 0 ? 0 : at + 2, Math.max(closing, 0));
    return closing < 0 ? to : closing + 1;
  }

  private void field(int field, int start, int end) {
    starts[field] = start;
    ends[field] = end;
  }

  private @Nullable String fill(byte[] b, Entry entry) {
    for (int i = 0; i < by.length; i++) {
      entry.part(i, b, starts[by[i]], ends[by[i]]);
    }
    int missing = entry.missing();
    if (missing >= 0) {
      return "no " + wanted.by().get(missing);
    }
    if (cost >= 0) {
      entry.cost = Wanted.cost(b, starts[cost], ends[cost]);
      if (entry.cost == 0) {
        return Wanted.COST;
      }
    }
    entry.seal();
    return null;
  }
}
