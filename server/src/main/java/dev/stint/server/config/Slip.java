package dev.stint.server.config;

/** A mistake within a text, at one of its characters. */
final class Slip extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int index;

  Slip(int index, String sentence) {
    super(sentence);
    this.index = index;
  }

  /** From 0. */
  int index() {
    return index;
  }
}
