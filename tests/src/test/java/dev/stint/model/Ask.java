package dev.stint.model;

/** One limit of a call: on which key, for how much, and whether it may refuse. */
record Ask(Terms terms, String key, long cost, boolean shadow) {

  static Ask of(Terms terms, String key, long cost) {
    return new Ask(terms, key, cost, false);
  }

  /** The cost that counts; what is beyond the most is the most. */
  long charge() {
    return Math.min(cost, Terms.MOST);
  }

  @Override
  public String toString() {
    String counting = terms.countsDenied() ? " counting denied" : "";
    return "%s %d per %dus burst %d '%s'%s on %s cost %d%s"
        .formatted(
            terms.kind(),
            terms.amount(),
            terms.window(),
            terms.capacity(),
            terms.name(),
            counting,
            key,
            cost,
            shadow ? " shadow" : "");
  }
}
