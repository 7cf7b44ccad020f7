package dev.stint;

/**
 * Where a limit is counted for a key.
 *
 * @param identity the limit's {@linkplain Limit#identity() identity}
 */
record Place(String identity, Key key) {

  static Place of(KeyedLimit limit) {
    return new Place(limit.limit().identity(), limit.key());
  }
}
