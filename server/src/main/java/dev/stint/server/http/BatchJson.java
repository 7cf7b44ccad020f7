package dev.stint.server.http;

import static dev.stint.server.http.JsonBytes.ascii;

import dev.stint.Decision;
import dev.stint.server.engine.Engine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a batch in the making, of which each result is written as soon as it is known. */
final class BatchJson {

  private static final byte[] RESULTS = ascii("{\"results\":[");
  private static final byte[] STATUS = ascii("{\"status\":");
  private static final byte[] DETAIL = ascii(",\"detail\":");
  private static final byte[] END_OF_RESULTS = ascii("]}");
  private static final int BAD_REQUEST = 400;

  /** About as long as a result is: more for a result of several limits. */
  private static final int BYTES_OF_RESULT = 64;

  private static final int BYTES_OF_LIMIT = 128;

  private final DecisionJson json;
  private final JsonBytes out;
  private int size;

  BatchJson(DecisionJson json, JsonBytes out) {
    this.json = json;
    this.out = out.raw(RESULTS);
  }

  /** Makes room for the results of these checks at once, which saves copies and garbage. */
  void expect(List<Ask> asks) {
    int bytes = 0;
    for (Ask ask : asks) {
      bytes += BYTES_OF_RESULT + BYTES_OF_LIMIT * ask.limits();
    }
    out.room(bytes);
  }

  /** How many results there are. */
  int size() {
    return size;
  }

  /** Decides a check on a store in this process, and adds its result. */
  void decide(Engine engine, Ask ask) {
    add(
        ask,
        ask.problem() == null
            ? engine.ask(ask.operation(), ask.policy(), ask.key(), ask.units())
            : null);
  }

  /** Adds the result of a check; its decision is null if the check was wrong. */
  void add(Ask ask, @Nullable Decision decision) {
    if (size++ > 0) {
      out.raw(',');
    }
    out.raw(STATUS);
    if (decision == null) {
      out.number(BAD_REQUEST).raw(DETAIL).text(String.valueOf(ask.problem()));
    } else {
      out.number(Operations.status(ask.policy(), decision)).raw(',');
      json.decision(out, ask.policy(), ask.key(), decision);
    }
    out.raw('}');
  }

  /** The whole answer, after which nothing more may be added. */
  JsonBytes end() {
    return out.raw(END_OF_RESULTS);
  }
}
