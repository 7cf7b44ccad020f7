package dev.stint.server.inspect;

/** The service did not answer as hoped; the message is a sentence for whoever called. */
final class Trouble extends Exception {

  private static final long serialVersionUID = 1;

  Trouble(String sentence) {
    super(sentence);
  }
}
