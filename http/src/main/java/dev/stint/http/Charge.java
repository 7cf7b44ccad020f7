package dev.stint.http;

import dev.stint.Key;

/** What one rule charges one request: so many units, to the account of a key. */
record Charge(RuleInForce rule, Key key, long cost) {}
