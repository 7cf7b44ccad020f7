package dev.stint.studio.log;

/** Cuts pieces of bytes to what is meant by them. */
final class Slices {

  private Slices() {}

  static int find(byte[] b, int from, int to, char wanted) {
    for (int i = from; i < to; i++) {
      if (b[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** The closing quote of a text that begins here; a backslash takes the next byte's meaning. */
  static int closingQuote(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] == '"') {
        return i;
      }
      if (b[i] == '\\') {
        i++;
      }
    }
    return -1;
  }

  /** Where an address begins that may stand in brackets. */
  static int addressFrom(byte[] b, int from, int to) {
    return from < to && b[from] == '[' ? from + 1 : from;
  }

  /**
   * Where an address ends that may be in brackets or followed by a port.
   *
   * @param alwaysPort whether there is a port for sure, so that the last colon is before it
   */
  static int addressTo(byte[] b, int from, int to, boolean alwaysPort) {
    if (from < to && b[from] == '[') {
      int closing = find(b, from, to, ']');
      return closing < 0 ? to : closing;
    }
    int first = find(b, from, to, ':');
    if (first < 0) {
      return to;
    }
    int last = to - 1;
    while (b[last] != ':') {
      last--;
    }
    return alwaysPort || first == last ? last : to;
  }

  /** Where the path of a target begins, which may be a whole address such as https://a.example/. */
  static int pathFrom(byte[] b, int from, int to) {
    int host = hostFrom(b, from, to);
    if (host < 0) {
      return from;
    }
    int slash = find(b, host, to, '/');
    return slash < 0 ? to : slash;
  }

  /** A path ends where the question begins: what is searched for does not make another path. */
  static int pathTo(byte[] b, int from, int to) {
    int question = find(b, from, to, '?');
    return question < 0 ? to : question;
  }

  /** Where the host of a target begins; -1 if it has none. */
  static int hostFrom(byte[] b, int from, int to) {
    int colon = find(b, from, to, ':');
    return colon > from && colon + 2 < to && b[colon + 1] == '/' && b[colon + 2] == '/'
        ? colon + 3
        : -1;
  }

  /** Where a host that begins here ends, without its port. */
  static int hostTo(byte[] b, int from, int to) {
    int slash = find(b, from, to, '/');
    return addressTo(b, from, slash < 0 ? to : slash, false);
  }
}
