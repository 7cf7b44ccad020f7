package dev.stint.server.config;

/**
 * Where something stands.
 *
 * @param file as it was named
 * @param line from 1; 0 for the file as a whole
 * @param column from 1, in characters
 */
public record Place(String file, int line, int column) implements Comparable<Place> {

  static Place ofFile(String file) {
    return new Place(file, 0, 0);
  }

  /** The place so many characters further on the line. */
  Place right(int characters) {
    return new Place(file, line, column + characters);
  }

  /** By line and column: places are only compared within a file. */
  @Override
  public int compareTo(Place other) {
    return line != other.line
        ? Integer.compare(line, other.line)
        : Integer.compare(column, other.column);
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }
}
