package dev.stint.studio.log;

/** A log that cannot be read, told in a whole sentence. */
public final class Unreadable extends Exception {

  private static final long serialVersionUID = 1;

  public Unreadable(String sentence) {
    super(sentence);
  }
}
