package dev.stint.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What came of reading a configuration.
 *
 * @param configuration to be used only if there are no mistakes
 * @param mistakes all that were found
 * @param sources the files and directories that were looked at, whether they exist or not
 * @param isEmpty whether the file says nothing, so that the configuration is the standard one
 */
public record Reading(
    Configuration configuration, List<Mistake> mistakes, Set<Path> sources, boolean isEmpty) {

  /** Whether the configuration can be used. */
  public boolean isGood() {
    return mistakes.isEmpty();
  }
}
