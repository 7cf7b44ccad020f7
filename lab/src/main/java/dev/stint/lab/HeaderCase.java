package dev.stint.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule, some requests, and what each must be answered with, on whatever server: a case of {@code
 * headers.cases}, which explains itself.
 *
 * @param rule what the rule says, by the words of the configuration
 */
public record HeaderCase(String title, Map<String, String> rule, List<Step> steps) {

  /** The path of all requests. */
  public static final String PATH = "/test.Talk/Say";

  /** The name of the rule. */
  public static final String RULE = "api";

  /** When the first request of each case comes: a full hour. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Pattern STEP = Pattern.compile("\\+(\\d+)\\s*(.*?)\\s*->\\s*(\\d+)(.*)");

  /**
   * One request.
   *
   * @param after milliseconds since the last one
   * @param request its headers
   * @param answer every rate limit header of the answer, names in lower case
   */
  public record Step(
      long after, Map<String, String> request, int status, Map<String, String> answer) {}

  /** All cases. */
  public static List<HeaderCase> all() {
    List<HeaderCase> cases = new ArrayList<>();
    for (String line : text().lines().map(String::strip).filter(HeaderCase::says).toList()) {
      Matcher step = STEP.matcher(line);
      if (line.startsWith("case ")) {
        cases.add(new HeaderCase(line.substring(5), new TreeMap<>(), new ArrayList<>()));
      } else if (step.matches()) {
        last(cases).steps.add(step(step));
      } else {
        String[] words = line.split(" = ", 2);
        last(cases).rule.put(words[0], words[1]);
      }
    }
    return cases;
  }

  /** Whether a header of an answer is one that the cases speak of. */
  public static boolean speaksOf(String header) {
    return header.matches("(?i)(x-)?ratelimit(-.*)?|retry-after");
  }

  private static boolean says(String line) {
    return !line.isEmpty() && !line.startsWith("#");
  }

  private static HeaderCase last(List<HeaderCase> cases) {
    return cases.get(cases.size() - 1);
  }

  private static Step step(Matcher step) {
    Map<String, String> request = new TreeMap<>();
    addTo(request, step.group(2));
    Map<String, String> answer = new TreeMap<>();
    for (String header : step.group(4).split("\\|", -1)) {
      addTo(answer, header);
    }
    return new Step(
        Long.parseLong(step.group(1)), request, Integer.parseInt(step.group(3)), answer);
  }

  private static void addTo(Map<String, String> headers, String line) {
    if (!line.isBlank()) {
      String[] words = line.strip().split(": ", 2);
      headers.put(words[0], words[1]);
    }
  }

  private static String text() {
    try (InputStream in = HeaderCase.class.getResourceAsStream("headers.cases")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The title. */
  @Override
  public String toString() {
    return title;
  }
}
