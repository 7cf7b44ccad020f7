package dev.stint.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Ways to write a path that some server may route to the same handler: dots, empty segments, path
 * parameters, encoded letters, encoded and backward slashes, absolute URIs, and mixtures of them.
 */
public final class PathSpellings {

  /** What may stand between two segments. */
  private static final List<String> JOINTS =
      List.of(
          "/",
          "//",
          "///",
          "/./",
          "/%2e/",
          "/%2E/",
          "/.;/",
          "/;/",
          "/;x=1/",
          "/x/../",
          "/x/%2e%2e/",
          "/x/.%2e/",
          "/x/%2E./",
          "/x/..;/",
          "/x/..;y=1/",
          "/x/%2e%2e;/",
          "/x//../",
          "/x//../../",
          "/../",
          "/%2e%2e/",
          "%2f",
          "%2F",
          "/%2f",
          "%2f/",
          "/x%2f../",
          "/x/..%2f",
          "/x%2f..%2f",
          "%5c",
          "\\",
          "/x\\..\\",
          "/%2e%2e%2f",
          "%252f",
          "/%252e/",
          "/x/%252e%252e/",
          "/%00/",
          "/%20/",
          "/\t/");

  /** What may stand behind the last segment. */
  private static final List<String> ENDS =
      List.of(
          "",
          "/",
          "//",
          "/.",
          "/./",
          "/%2e",
          "/..",
          "/../",
          "/%2e%2e",
          "/%2e%2e/x",
          "/../x",
          "/x/..",
          "/x/../",
          "/x/%2e%2e",
          ";",
          ";x",
          ";x=1;y=2",
          "/;",
          "/;x",
          "/..;/x",
          "?",
          "?x=1",
          "?/../y",
          "#x",
          "%20",
          "%00",
          "%3f",
          "%3Fx",
          "%23",
          ".",
          "..",
          ".json",
          "%2f",
          "%2F..",
          "%5c",
          "%3b",
          "%3bx=1",
          "%",
          "%zz",
          "%c0%af",
          "%ff",
          "+",
          "/x%2f..",
          "/..%2fx");

  private static final int RANDOM = 150;

  private PathSpellings() {}

  /** The spellings of a path such as {@code /files/a}, the path itself first. */
  public static List<String> of(String path) {
    String[] segments = path.substring(1).split("/", -1);
    Set<String> all = new LinkedHashSet<>();
    all.add(path);
    for (int i = 0; i < segments.length; i++) {
      for (String joint : JOINTS) {
        all.add(joined(segments, i, joint));
      }
      for (String segment : spelled(segments[i])) {
        String[] other = segments.clone();
        other[i] = segment;
        all.add(joined(other, 0, "/"));
      }
    }
    for (String end : ENDS) {
      all.add(path + end);
    }
    all.add("http://127.0.0.1" + path);
    all.add("http://127.0.0.1/x/.." + path);
    all.add("//127.0.0.1" + path);
    all.add(path.substring(1));
    all.addAll(mixed(segments));
    return List.copyOf(all);
  }

  private static String joined(String[] segments, int at, String joint) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < segments.length; i++) {
      path.append(i == at ? joint : "/").append(segments[i]);
    }
    return path.toString();
  }

  /** Ways to write one segment. */
  private static List<String> spelled(String segment) {
    String first = segment.substring(0, 1);
    String rest = segment.substring(1);
    String hex = Integer.toHexString(first.charAt(0));
    return List.of(
        "%" + hex + rest,
        "%25" + hex + rest,
        "%u00" + hex + rest,
        encoded(segment),
        segment + ";",
        segment + ";x=1",
        segment + ";/",
        segment + "%3bx",
        segment + "%20",
        segment + ".",
        ";x" + segment,
        "." + segment,
        segment.toUpperCase(Locale.ROOT));
  }

  private static String encoded(String segment) {
    StringBuilder all = new StringBuilder();
    segment.chars().forEach(c -> all.append('%').append(Integer.toHexString(c)));
    return all.toString();
  }

  private static List<String> mixed(String[] segments) {
    SplittableRandom random = new SplittableRandom(20240101);
    List<String> mixed = new ArrayList<>();
    for (int n = 0; n < RANDOM; n++) {
      StringBuilder path = new StringBuilder();
      for (String segment : segments) {
        List<String> spelled = spelled(segment);
        path.append(JOINTS.get(random.nextInt(JOINTS.size())));
        path.append(
            random.nextBoolean() ? segment : spelled.get(random.nextInt(spelled.size() - 4)));
      }
      mixed.add(path.append(ENDS.get(random.nextInt(ENDS.size()))).toString());
    }
    return mixed;
  }
}
