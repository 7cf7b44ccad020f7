package dev.stint.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A set of addresses, given as single ones and prefixes: {@code 203.0.113.7}, {@code 10.0.0.0/8},
 * {@code 2001:db8::/32}.
 *
 * <p>It is fast with thousands of them. IPv6 prefixes hold no IPv4 addresses, not even {@code
 * ::/0}.
 */
public final class AddressSet {

  private final Spans v4;
  private final Spans v6;

  private AddressSet(Spans v4, Spans v6) {
    this.v4 = v4;
    this.v6 = v6;
  }

  /**
   * The set of all addresses in these ranges.
   *
   * @throws IllegalArgumentException if a text is not an address range; it says which and why
   */
  public static AddressSet of(Collection<String> ranges) {
    List<AddressRange> v4 = new ArrayList<>();
    List<AddressRange> v6 = new ArrayList<>();
    for (String text : ranges) {
      AddressRange range = AddressRange.parse(text);
      (range.isV4() ? v4 : v6).add(range);
    }
    return new AddressSet(Spans.of(v4), Spans.of(v6));
  }

  /** Whether the address is in one of the ranges. */
  public boolean contains(IpAddress address) {
    return (address.isV4() ? v4 : v6).contains(address);
  }

  /** Whether no address at all is in this set. */
  public boolean isEmpty() {
    return v4.size() == 0 && v6.size() == 0;
  }

  boolean containsAllOfV4() {
    return v4.equals(Spans.of(List.of(AddressRange.parse("0.0.0.0/0"))));
  }

  boolean containsAllOfV6() {
    return v6.equals(Spans.of(List.of(AddressRange.parse("::/0"))));
  }

  /**
   * Stretches of addresses in ascending order; between two of them there is always an address that
   * is in neither, so equal sets have equal spans.
   */
  private record Spans(List<IpAddress> firsts, List<IpAddress> lasts) {

    static Spans of(List<AddressRange> ranges) {
      List<AddressRange> sorted = new ArrayList<>(ranges);
      sorted.sort((a, b) -> IpAddress.compare(a.first(), b.first()));
      List<IpAddress> firsts = new ArrayList<>();
      List<IpAddress> lasts = new ArrayList<>();
      for (AddressRange range : sorted) {
        int end = lasts.size() - 1;
        if (end < 0 || leavesRoom(lasts.get(end), range.first())) {
          firsts.add(range.first());
          lasts.add(range.last());
        } else if (range.last().isAfter(lasts.get(end))) {
          lasts.set(end, range.last());
        }
      }
      return new Spans(List.copyOf(firsts), List.copyOf(lasts));
    }

    private static boolean leavesRoom(IpAddress last, IpAddress next) {
      return next.isAfter(last) && !next.isNextAfter(last);
    }

    int size() {
      return firsts.size();
    }

    /** Looks for the first span that does not end before the address. */
    boolean contains(IpAddress address) {
      int from = 0;
      int to = size();
      while (from < to) {
        int middle = (from + to) >>> 1;
        if (address.isAfter(lasts.get(middle))) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return from < size() && !firsts.get(from).isAfter(address);
    }
  }
}
