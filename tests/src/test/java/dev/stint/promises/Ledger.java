package dev.stint.promises;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What callers were told that they were charged, for each limit and key. One per thread. */
final class Ledger {

  /** Where units are counted. */
  record Place(Limit limit, String key) {}

  private final Map<Place, Long> charged = new LinkedHashMap<>();

  void add(Place place, long units) {
    charged.merge(place, units, Long::sum);
  }

  void addAll(Ledger other) {
    other.charged.forEach(this::add);
  }

  /**
   * Adds what a hit charged: if it was admitted, the cost of every limit, of those that only watch
   * where there was room.
   *
   * @param sign -1 to take it off again
   */
  void add(List<KeyedLimit> asked, Decision decision, int sign) {
    if (!decision.allowed()) {
      return;
    }
    for (int i = 0; i < asked.size(); i++) {
      KeyedLimit one = asked.get(i);
      if (decision.limits().get(i).allowed()) {
        add(new Place(one.limit(), one.key().toString()), sign * one.cost());
      }
    }
  }

  long charged(Place place) {
    return charged.getOrDefault(place, 0L);
  }
}
