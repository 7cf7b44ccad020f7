package dev.stint.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link of the documentation leads to a file, and to a heading in it. */
class LinksTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(#[^)\\s]+)?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  @Test
  void every_link_leads_somewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int followed = 0;
    for (Page page : Page.all()) {
      for (MatchResult link : LINK.matcher(prose(page.file())).results().toList()) {
        if (!link.group(1).startsWith("http")) {
          followed++;
          if (!leadsSomewhere(page.file(), link.group(1), link.group(2))) {
            broken.add(page.file() + ": " + link.group());
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(followed).isGreaterThan(50);
  }

  private static boolean leadsSomewhere(Path from, String path, String heading) throws IOException {
    Path file = path.isEmpty() ? from : from.resolveSibling(path);
    boolean isPage = file.toString().endsWith(".md");
    return Files.exists(file)
        && (heading == null || (isPage && headings(file).contains(heading.substring(1))));
  }

  private static String prose(Path file) throws IOException {
    return BLOCK.matcher(Files.readString(file)).replaceAll("");
  }

  /** The headings as links name them: small letters, without marks, blanks as hyphens. */
  private static Set<String> headings(Path file) throws IOException {
    Set<String> names = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(prose(file)).results().toList()) {
      String text = heading.group(1).toLowerCase(Locale.ROOT);
      names.add(text.replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-'));
    }
    return names;
  }
}
