package dev.stint.http;

import java.util.Collection;
import java.util.List;

/** Clients that pass uncounted, and clients that are refused, by address and by key. */
final class ClientLists {

  private final AddressSet allowed;
  private final AddressSet blocked;
  private final KeyList allowedKeys;
  private final KeyList blockedKeys;

  /**
   * Makes the lists.
   *
   * @param sources what rules count by, whose kinds keys may have
   */
  ClientLists(
      Collection<String> allowed,
      Collection<String> blocked,
      Collection<String> allowedKeys,
      Collection<String> blockedKeys,
      List<KeySource> sources) {
    this.allowed = AddressSet.of(allowed);
    this.blocked = AddressSet.of(blocked);
    this.allowedKeys = new KeyList(allowedKeys, sources);
    this.blockedKeys = new KeyList(blockedKeys, sources);
  }

  boolean isAllowed(Request request) {
    return contains(allowed, request) || allowedKeys.contains(request);
  }

  boolean isBlocked(Request request) {
    return contains(blocked, request) || blockedKeys.containsAny(request);
  }

  private static boolean contains(AddressSet set, Request request) {
    if (set.isEmpty()) {
      return false;
    }
    IpAddress client = request.client();
    return client != null && set.contains(client);
  }

  boolean blocksNobody() {
    return blocked.isEmpty() && blockedKeys.isEmpty();
  }

  boolean needsTenant() {
    return allowedKeys.needsTenant() || blockedKeys.needsTenant();
  }

  boolean needsAddress() {
    return !allowed.isEmpty()
        || !blocked.isEmpty()
        || allowedKeys.needsAddress()
        || blockedKeys.needsAddress();
  }
}
