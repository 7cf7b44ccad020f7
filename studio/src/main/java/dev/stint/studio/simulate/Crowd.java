package dev.stint.studio.simulate;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Many clients, each of which decides when it comes again, once it has been answered. */
final class Crowd implements Source {

  /** One of them. */
  interface Client {

    String key();

    /** When it comes first. */
    long first();

    /** When it comes again, after an answer to what it asked at {@code at}. */
    long again(long at, boolean allowed, long retryAfter);
  }

  private record Visit(long at, long order, Client client) {}

  // Of those who come at the same moment the one who said so first.
  private final PriorityQueue<Visit> visits =
      new PriorityQueue<>(Comparator.comparingLong(Visit::at).thenComparingLong(Visit::order));
  private long order;
  private Visit last = new Visit(NEVER, 0, new Nobody());

  Crowd(List<? extends Client> clients) {
    for (Client client : clients) {
      plan(client.first(), client);
    }
  }

  private void plan(long at, Client client) {
    if (at < NEVER) {
      visits.add(new Visit(at, order++, client));
    }
  }

  @Override
  public long next() {
    return visits.isEmpty() ? NEVER : visits.element().at();
  }

  @Override
  public Request take() {
    last = visits.remove();
    return new Request(last.at(), last.client().key(), 1);
  }

  @Override
  public void answered(boolean allowed, long retryAfter) {
    plan(last.client().again(last.at(), allowed, retryAfter), last.client());
  }

  private static final class Nobody implements Client {
    @Override
    public String key() {
      return "";
    }

    @Override
    public long first() {
      return NEVER;
    }

    @Override
    public long again(long at, boolean allowed, long retryAfter) {
      return NEVER;
    }
  }
}
