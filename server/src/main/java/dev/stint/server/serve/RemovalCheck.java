package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Place;
import dev.stint.server.config.Reading;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses a reload that would remove all clients, all policies or all domains unless the file says
 * so in words. A file that was cut off in the middle can be a valid one without them, and would
 * open the service to everybody.
 */
final class RemovalCheck {

  private final List<Mistake> mistakes = new ArrayList<>();
  private final Reading next;

  private RemovalCheck(Reading next) {
    this.next = next;
  }

  /** What {@code next} would remove from {@code current} without saying so. */
  static List<Mistake> of(Reading current, Reading next) {
    Configuration before = current.configuration();
    Configuration after = next.configuration();
    RemovalCheck check = new RemovalCheck(next);
    if (next.isEmpty() && !after.equals(before)) {
      check.refuse(
          "must not become empty or go away while the service runs; write it again, or restart"
              + " without it");
      return check.mistakes;
    }
    if (before.clients().needToken()
        && !after.clients().needToken()
        && !after.clients().isEverybody()) {
      check.refuse(
          "must have clients, because the service runs with clients; to let everybody in without a"
              + " token, write clients: everybody");
    }
    if (givesPolicies(current) && !before.policies().isEmpty() && !givesPolicies(next)) {
      check.refuse(
          "must have policies, because the service runs with policies; to remove all of them, write"
              + " policies: none");
    }
    if (!before.rls().domains().isEmpty()
        && after.rls().domains().isEmpty()
        && !next.keys().contains("rls.domains")) {
      check.refuse(
          "must have domains, because the service runs with domains; to remove all of them, write"
              + " rls: {domains: []}");
    }
    return check.mistakes;
  }

  private static boolean givesPolicies(Reading reading) {
    return reading.keys().contains("policies") || reading.keys().contains("rate-limiter");
  }

  private void refuse(String sentence) {
    mistakes.add(new Mistake(new Place(next.file().toString(), 0, 0), sentence));
  }
}
