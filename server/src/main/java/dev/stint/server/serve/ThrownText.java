package dev.stint.server.serve;

import java.io.PrintWriter;
import java.io.StringWriter;

/** An exception as text for the log. */
final class ThrownText {

  private static final int LONGEST_MESSAGE = 300;
  private static final int MOST_CAUSES = 10;
  private static final String OURS = "dev.stint.";

  private ThrownText() {}

  /** What it has in common with others of its kind: the root's type and where it was thrown. */
  static String cause(Throwable thrown) {
    Throwable root = root(thrown);
    return root.getClass().getName() + ' ' + place(root);
  }

  /**
   * In one line, enough to find a defect: the root's type and message, where it was thrown, and the
   * nearest place in our own code.
   */
  static String line(Throwable thrown) {
    Throwable root = root(thrown);
    String message = String.valueOf(root.getMessage());
    String clipped =
        message.length() <= LONGEST_MESSAGE
            ? message
            : message.substring(0, LONGEST_MESSAGE) + "...";
    return root.getClass().getName() + ": " + clipped + place(root);
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return root;
  }

  private static String place(Throwable root) {
    StackTraceElement[] frames = root.getStackTrace();
    if (frames.length == 0) {
      return "";
    }
    String place = " at " + frames[0];
    for (StackTraceElement frame : frames) {
      if (frame.getClassName().startsWith(OURS)) {
        return frame.equals(frames[0]) ? place : place + ", from " + frame;
      }
    }
    return place;
  }

  static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString().stripTrailing();
  }
}
