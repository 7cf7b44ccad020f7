package dev.stint.server.http;

import java.util.List;

/**
 * Which members a request's object has.
 *
 * @param fields all of them
 * @param units the name of the number; empty if there is none
 * @param least the least that the number may be
 * @param needsUnits whether the number must be given; otherwise it is 1
 */
record Shape(List<String> fields, String units, long least, boolean needsUnits) {

  static final String OP = "op";
  static final String POLICY = "policy";
  static final String LIMITS = "limits";
  static final String KEY = "key";
  static final String COST = "cost";
  static final String N = "n";

  static final Shape QUESTION = new Shape(List.of(POLICY, LIMITS, KEY, COST), COST, 1, false);
  static final Shape CHECK = new Shape(List.of(OP, POLICY, LIMITS, KEY, COST), COST, 1, false);
  static final Shape CHANGE = new Shape(List.of(POLICY, LIMITS, KEY, N), N, 1, false);
  static final Shape SETTING = new Shape(List.of(POLICY, LIMITS, KEY, N), N, 0, true);
  static final Shape RESET = new Shape(List.of(POLICY, LIMITS, KEY), "", 1, false);
}
