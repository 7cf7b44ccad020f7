package dev.stint.server.engine;

import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.http.HeaderFormat;
import dev.stint.http.StoredKey;
import dev.stint.server.config.PolicySettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy in force. */
public final class Policy {

  private final String name;
  private final PolicySettings settings;
  private final Store store;
  private final Terms usual;
  private final Overrides overrides;
  private final @Nullable Policy candidate;

  Policy(String name, PolicySettings settings, Stores stores, @Nullable Policy candidate) {
    this.name = name;
    this.settings = settings;
    this.store = stores.orElse(settings.onStoreError());
    this.usual = terms(settings.limits());
    this.overrides =
        new Overrides(
            settings.overrides().stream()
                .map(
                    one ->
                        new Overrides.Entry(
                            one.text(), one.isPrefix(), one.limits(), terms(one.limits())))
                .toList());
    this.candidate = candidate;
  }

  private Terms terms(List<Limit> limits) {
    return Terms.of(name, limits, settings.headers(), store);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** What it was made of. */
  public PolicySettings settings() {
    return settings;
  }

  /** Whether it lets everything pass and only tells what it would have refused. */
  public boolean isShadow() {
    return settings.shadow();
  }

  /** Whether keys are nobody's business: they are shown and stored as hashes. */
  public boolean hashesKeys() {
    return settings.hashKeys();
  }

  /** How clients are told. */
  public HeaderFormat headers() {
    return settings.headers();
  }

  /** The policy that is tried on the same traffic; null if there is none. */
  public @Nullable Policy candidate() {
    return candidate;
  }

  /** The limits for this key. */
  public Terms termsFor(byte[] key) {
    Overrides.Entry special = overrides.of(key);
    return special == null ? usual : special.terms();
  }

  /** How many limits a key of this policy is under, unless it is an exception. */
  public int limitCount() {
    return usual.limits().size();
  }

  /** All limits that keys of this policy may be under; its candidate's are not among them. */
  Set<Limit> limits() {
    Set<Limit> all = new LinkedHashSet<>(usual.limits());
    overrides.entries().forEach(entry -> all.addAll(entry.terms().limits()));
    return all;
  }

  /** Why they are not the usual ones; null if they are. */
  Overrides.@Nullable Entry overrideFor(byte[] key) {
    return overrides.of(key);
  }

  /** The key to count for. */
  public Key key(byte[] key) {
    return settings.hashKeys() ? StoredKey.of(key, store) : Key.of(key);
  }

  /** The key to count for, of a key of bytes. */
  Key key(Key key) {
    return settings.hashKeys() && key.value() instanceof byte[] bytes
        ? StoredKey.of(bytes, store)
        : key;
  }

  /** Where it counts. */
  Store store() {
    return store;
  }
}
