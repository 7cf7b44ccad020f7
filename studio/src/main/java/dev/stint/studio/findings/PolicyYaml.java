package dev.stint.studio.findings;

import dev.stint.Limit;
import java.util.List;

/** A policy as {@code stint.yaml} has it. */
public final class PolicyYaml {

  private PolicyYaml() {}

  /** A policy of this name, in shadow mode: it counts and refuses nobody until that is changed. */
  public static String inShadow(String name, List<Limit> limits) {
    throw new UnsupportedOperationException(name + limits);
  }
}
