package dev.stint.server.config;

/** Something that cannot be so: where, and a sentence that says what must be. */
public record Mistake(Place place, String sentence) {

  /** In one line: {@code stint.yaml:12:9: unknown unit 'minit'; did you mean 'minute'?} */
  @Override
  public String toString() {
    return place + ": " + sentence;
  }
}
