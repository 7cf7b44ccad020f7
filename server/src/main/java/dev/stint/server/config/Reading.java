package dev.stint.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What came of reading a configuration.
 *
 * @param file the file or directory that was read, or would be if it were there
 * @param configuration to be used only if there are no mistakes
 * @param mistakes all that were found
 * @param sources the files and directories that were looked at, whether they exist or not
 * @param keys the keys that the file has, such as {@code policies}, with those of {@code rls} as
 *     {@code rls.domains}; what is not among them has its default
 */
public record Reading(
    Path file,
    Configuration configuration,
    List<Mistake> mistakes,
    Set<Path> sources,
    Set<String> keys) {

  /** Whether the file has no key at all, so that everything has its default. */
  public boolean isEmpty() {
    return keys.isEmpty();
  }

  /** The same with a mistake that concerns the file as a whole. */
  public Reading with(String mistake) {
    List<Mistake> all = new ArrayList<>(mistakes);
    all.add(new Mistake(Place.ofFile(file.toString()), mistake));
    return new Reading(file, configuration, List.copyOf(all), sources, keys);
  }

  /** The same with this configuration in its place. */
  public Reading with(Configuration other) {
    return new Reading(file, other, mistakes, sources, keys);
  }

  /** Whether the configuration can be used. */
  public boolean isGood() {
    return mistakes.isEmpty();
  }
}
