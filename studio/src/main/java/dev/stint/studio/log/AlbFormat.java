package dev.stint.studio.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the load balancers of AWS write: the application's, and the classic one, which lacks the
 * first field.
 *
 * <pre>https 2026-07-02T22:23:00.186641Z app/a/50dc 192.0.2.7:4816 10.0.0.1:80 0.086 0.048 0.037
 * 200 200 0 57 "GET https://a.example:443/b?c=1 HTTP/1.1" "curl/7.46.0" ...</pre>
 */
final class AlbFormat implements LineFormat {

  static final List<String> FIELDS =
      List.of("ip", "method", "path", "host", "status", "agent", "elb", "target", "type");

  private static final int IP = 0;
  private static final int METHOD = 1;
  private static final int PATH = 2;
  private static final int HOST = 3;
  private static final int STATUS = 4;
  private static final int AGENT = 5;
  private static final int ELB = 6;
  private static final int TARGET = 7;
  private static final int TYPE = 8;

  /** Between the target and the request: three times, two statuses, two sizes. */
  private static final int NUMBERS = 7;

  private final Wanted wanted;
  private final int[] by;
  private final TimeText time = new TimeText();
  private final int[] starts = new int[FIELDS.size()];
  private final int[] ends = new int[FIELDS.size()];

  AlbFormat(Wanted wanted) {
    this.wanted = wanted;
    by = wanted.by().stream().mapToInt(name -> Wanted.index(name, FIELDS)).toArray();
    if (wanted.cost() != null) {
      throw new IllegalArgumentException(
          "--cost is of no use here: the log of a load balancer has no field of a cost; leave it"
              + " out: '"
              + wanted.cost()
              + "'");
    }
  }

  @Override
  public String name() {
    return "alb";
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
    int at = from;
    field(TYPE, from, from);
    if (b[from] < '0' || b[from] > '9') {
      at = word(b, TYPE, from, to);
    }
    int end = Slices.find(b, at, to, ' ');
    entry.micros = end < 0 ? TimeText.NONE : time.read(b, at, end);
    if (entry.micros == TimeText.NONE) {
      return "no time of the years " + TimeText.YEARS + " after the type";
    }
    at = word(b, ELB, end + 1, to);
    at = word(b, IP, at, to);
    at = word(b, TARGET, at, to);
    for (int i = 0; i < NUMBERS; i++) {
      // After the three times comes the status that the client saw.
      int next = word(b, AGENT, at, to);
      if (i == 3) {
        field(STATUS, starts[AGENT], ends[AGENT]);
      }
      at = next;
    }
    int quote = at < to && b[at] == '"' ? Slices.closingQuote(b, at + 1, to) : -1;
    if (quote < 0) {
      return "no \"request\" after " + NUMBERS + " numbers";
    }
    request(b, at + 1, quote);
    int agent = quote + 2;
    int agentEnd = agent < to && b[agent] == '"' ? Slices.closingQuote(b, agent + 1, to) : -1;
    field(AGENT, agentEnd < 0 ? 0 : agent + 1, Math.max(agentEnd, 0));
    int ip = starts[IP];
    field(IP, Slices.addressFrom(b, ip, ends[IP]), Slices.addressTo(b, ip, ends[IP], true));
    return fill(b, entry);
  }

  private void request(byte[] b, int from, int to) {
    int space = Slices.find(b, from, to, ' ');
    field(METHOD, from, space < 0 ? from : space);
    int target = space < 0 ? from : space + 1;
    int end = Slices.find(b, target, to, ' ');
    end = end < 0 ? to : end;
    int host = Slices.hostFrom(b, target, end);
    int path = Slices.pathFrom(b, target, end);
    field(PATH, path, Slices.pathTo(b, path, end));
    field(HOST, Math.max(host, 0), host < 0 ? 0 : Slices.hostTo(b, host, end));
  }

  /** Notes a word, and says where the next begins. */
  private int word(byte[] b, int field, int from, int to) {
    int space = Slices.find(b, from, to, ' ');
    int end = space < 0 ? to : space;
    field(field, Math.min(from, to), end);
    return Math.min(end + 1, to);
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
    entry.seal();
    return null;
  }
}
