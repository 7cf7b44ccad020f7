package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Rule;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of an application, parted by when they can be asked.
 *
 * @param beforeAuthentication rules that need not know who is authenticated: they also protect the
 *     authentication
 * @param afterAuthentication rules that count by principal
 */
public record HttpLimiters(HttpLimiter beforeAuthentication, HttpLimiter afterAuthentication) {

  /** All rules. */
  public List<Rule> rules() {
    return Stream.concat(
            beforeAuthentication.rules().stream(), afterAuthentication.rules().stream())
        .toList();
  }

  /** See {@link HttpLimiter#peek}. */
  public Decision peek(String rule, String key) {
    return with(rule).peek(rule, key);
  }

  /** See {@link HttpLimiter#reset}. */
  public void reset(String rule, String key) {
    with(rule).reset(rule, key);
  }

  private HttpLimiter with(String name) {
    boolean late = afterAuthentication.rules().stream().anyMatch(rule -> rule.name().equals(name));
    return late ? afterAuthentication : beforeAuthentication;
  }
}
