package dev.stint.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  ConfigException(List<Mistake> mistakes) {
    super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")));
    this.mistakes = mistakes;
  }

  /** All that was found wrong, in the order of the files. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
