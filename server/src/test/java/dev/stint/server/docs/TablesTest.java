package dev.stint.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Mistake;
import dev.stint.server.serve.Serve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The tables of flags and of words are those of the program. */
class TablesTest {

  /** An unknown word in every part of a file, which is answered with a list of those there are. */
  private static final String WRONG_EVERYWHERE =
      """
      zzzzzzzzzz: 1
      store: {zzzzzzzzzz: 1}
      listeners:
        zzzzzzzzzz: 1
        http: {zzzzzzzzzz: 1, tls: {zzzzzzzzzz: 1}}
        admin: {zzzzzzzzzz: 1}
      clients: {one: {zzzzzzzzzz: 1}}
      policies: {one: {zzzzzzzzzz: 1, overrides: [{zzzzzzzzzz: 1}]}}
      rate-limiter: {zzzzzzzzzz: 1}
      rls:
        zzzzzzzzzz: 1
        domains:
          - zzzzzzzzzz: 1
            descriptors:
              - zzzzzzzzzz: 1
                rate_limit: {zzzzzzzzzz: 1, replaces: [{zzzzzzzzzz: 1}]}
      bounds: {zzzzzzzzzz: 1}
      telemetry: {zzzzzzzzzz: 1}
      """;

  private static final Pattern WORDS =
      Pattern.compile("unknown word '\\w+' in (.+); the words are: (.+)");

  /** Where each part is told of. */
  private static final Map<String, String> HEADINGS =
      Map.ofEntries(
          Map.entry("the file", "## The file"),
          Map.entry("store", "## store"),
          Map.entry("listeners", "## listeners"),
          Map.entry("admin", "### A listener"),
          Map.entry("tls", "### tls"),
          Map.entry("client 'one'", "## clients"),
          Map.entry("policy 'one'", "## policies"),
          Map.entry("an override", "### overrides"),
          Map.entry("rate-limiter", "## rate-limiter"),
          Map.entry("rls", "## rls"),
          Map.entry("a domain", "### A domain"),
          Map.entry("a descriptor", "### A descriptor"),
          Map.entry("rate_limit", "### rate_limit"),
          Map.entry("an entry of replaces", "### replaces"),
          Map.entry("bounds", "## bounds"),
          Map.entry("telemetry", "## telemetry"));

  @Test
  void every_word_of_the_configuration_is_in_the_table_of_its_part(@TempDir Path folder)
      throws IOException {
    Map<String, Set<String>> known = known(folder);
    assertThat(known.remove("http")).containsOnly("address", "port", "tls"); // less than admin's

    Page page = Page.of("docs/configuration.md");
    Map<String, Set<String>> told = new TreeMap<>();
    HEADINGS.forEach((part, heading) -> told.put(part, firstCells(page, heading)));

    assertThat(told).isEqualTo(known);
  }

  private static Map<String, Set<String>> known(Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve(ConfigFile.NAME), WRONG_EVERYWHERE);
    Map<String, Set<String>> words = new TreeMap<>();
    for (Mistake mistake : ConfigFile.read(file, Map.of()).mistakes()) {
      Matcher list = WORDS.matcher(mistake.sentence());
      if (list.matches()) {
        words.put(list.group(1), new TreeSet<>(List.of(list.group(2).split(", ", -1))));
      }
    }
    return words;
  }

  private static Set<String> firstCells(Page page, String heading) {
    Set<String> words = new TreeSet<>();
    page.rows(heading).forEach(row -> words.addAll(Page.quoted(row.get(0))));
    return words;
  }

  @Test
  void every_flag_is_in_the_table_with_its_variable() {
    List<String> told = new ArrayList<>();
    for (List<String> row : Page.of("docs/server.md").rows("### Flags and variables")) {
      String flag = Page.quoted(row.get(0)).get(0).split(" ", -1)[0];
      told.add((flag + " " + String.join(" ", Page.quoted(row.get(1)))).strip());
    }

    List<String> known = new ArrayList<>();
    for (OptionSpec option : new CommandLine(serve()).getCommandSpec().options()) {
      String flag = option.longestName();
      boolean isStandard = option.usageHelp() || option.versionHelp();
      String variable = "STINT_" + flag.substring(2).toUpperCase(Locale.ROOT);
      known.add(isStandard ? flag : flag + " " + variable);
    }
    assertThat(told).containsExactlyInAnyOrderElementsOf(known);
  }

  private static Serve serve() {
    return new Serve(Map.of(), Path.of(""));
  }
}
