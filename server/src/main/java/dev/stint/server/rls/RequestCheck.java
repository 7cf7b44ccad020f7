package dev.stint.server.rls;

import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitDescriptor.Entry;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitUnit;
import dev.stint.server.config.Bounds;
import java.nio.charset.StandardCharsets;

/** Refuses what cannot be decided, before anybody is charged. */
final class RequestCheck {

  private static final int MOST_BYTES_OF_A_CHAR = 3;

  private final Bounds bounds;

  RequestCheck(Bounds bounds) {
    this.bounds = bounds;
  }

  /**
   * @throws BadRequest with what must be, what was, and how to mend it
   */
  void check(RateLimitRequest request) {
    if (request.getDomain().isEmpty()) {
      throw new BadRequest("domain must not be empty: name a domain of the configuration");
    }
    int count = request.getDescriptorsCount();
    if (count == 0) {
      throw new BadRequest("descriptors must be at least 1: 0");
    }
    if (count > bounds.descriptors()) {
      throw new BadRequest(
          "descriptors must be at most " + bounds.descriptors() + ": " + count + "; ask in parts");
    }
    for (int i = 0; i < count; i++) {
      check(request.getDomain(), i, request.getDescriptors(i));
    }
  }

  private void check(String domain, int place, RateLimitDescriptor descriptor) {
    int entries = descriptor.getEntriesCount();
    if (entries == 0) {
      throw new BadRequest("descriptors[" + place + "].entries must be at least 1: 0");
    }
    long chars = domain.length();
    for (int i = 0; i < entries; i++) {
      Entry entry = descriptor.getEntries(i);
      chars += entry.getKey().length() + (long) entry.getValue().length();
    }
    // An entry counts as a byte at least, or a million empty ones would take no room.
    if ((chars + entries) * MOST_BYTES_OF_A_CHAR > bounds.key()) {
      checkLength(domain, place, descriptor);
    }
    if (descriptor.hasLimit() && !isUnit(descriptor.getLimit().getUnitValue())) {
      throw new BadRequest(
          "descriptors["
              + place
              + "].limit.unit must be SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR: "
              + descriptor.getLimit().getUnitValue());
    }
  }

  private void checkLength(String domain, int place, RateLimitDescriptor descriptor) {
    long length = bytes(domain) + descriptor.getEntriesCount();
    for (Entry entry : descriptor.getEntriesList()) {
      length += bytes(entry.getKey()) + bytes(entry.getValue());
    }
    if (length > bounds.key()) {
      throw new BadRequest(
          "descriptors["
              + place
              + "] must have at most "
              + bounds.key()
              + " bytes, with one for each entry: "
              + length
              + "; hash long values before sending them");
    }
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isUnit(int number) {
    return number != RateLimitUnit.UNKNOWN_VALUE && RateLimitUnit.forNumber(number) != null;
  }
}
