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
 * @param keys the keys that the file has, such as {@code policies}, with those of {@code rls} as
 *     {@code rls.domains}; what is not among them has its default
 */
public record Reading(
    Configuration configuration, List<Mistake> mistakes, Set<Path> sources, Set<String> keys) {

  /** Whether the file has no key at all, so that everything has its default. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** Whether the configuration can be used. */
  public boolean isGood() {
    return mistakes.isEmpty();
  }
}
