package dev.stint.studio.findings;

import dev.stint.Limit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A policy as {@code stint.yaml} has it. */
public final class PolicyYaml {

  /** What a policy is called if nobody says otherwise. */
  public static final String USUAL_NAME = "default";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /** Names that other readers of YAML take for something else than text. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

  private static final Set<String> NO_WORDS =
      Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private PolicyYaml() {}

  /**
   * A policy of this name, in shadow mode: it counts and refuses nobody until that is changed.
   *
   * @throws IllegalArgumentException with a whole sentence, if a policy cannot be called so
   */
  public static String inShadow(String name, List<Limit> limits) {
    StringBuilder yaml = new StringBuilder("policies:\n");
    yaml.append("  ").append(quoted(checked(name))).append(":\n");
    if (limits.size() == 1) {
      yaml.append("    limits: ").append(limits.get(0)).append('\n');
    } else {
      yaml.append("    limits:\n");
      limits.forEach(limit -> yaml.append("      - ").append(limit).append('\n'));
    }
    return yaml.append(
            "    mode: shadow   # counts, refuses nobody; without this line it refuses\n")
        .toString();
  }

  /**
   * The policy {@value #USUAL_NAME} of the lane that comes closest to the exact log, in shadow
   * mode; of equals the first. The log itself costs memory for every hit, so it is taken only if
   * there is no other.
   */
  public static String ofClosest(List<Findings.Lane> lanes) {
    Findings.Lane closest =
        lanes.stream()
            .min(
                Comparator.comparing((Findings.Lane lane) -> lane.name().equals(Verdict.EXACT))
                    .thenComparingLong(Verdict::off))
            .orElseThrow();
    return inShadow(USUAL_NAME, closest.limits().stream().map(Limit::parse).toList());
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a policy must be 1 to 64 of the characters A-Z a-z 0-9 _ . - and begin with"
              + " a letter or digit: '"
              + name
              + "'");
    }
    return name;
  }

  private static String quoted(String name) {
    boolean isText =
        WORD.matcher(name).matches() && !NO_WORDS.contains(name.toLowerCase(Locale.ROOT));
    return isText ? name : '"' + name + '"';
  }
}
