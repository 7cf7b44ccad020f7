package dev.stint.server.resp;

import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finds policies by the bytes of their names, without making strings of them. */
final class PolicyNames {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte[] name, Policy policy) {}

  private static final int SHOWN = 8;

  private final Engine engine;
  private Policies known;
  private @Nullable Entry[] table;

  PolicyNames(Engine engine) {
    this.engine = engine;
    this.known = engine.policies();
    this.table = table(known);
  }

  /** The policy that an argument names; null if there is none. */
  @Nullable Policy find(Frame frame, int argument) {
    Policies inForce = engine.policies();
    if (inForce != known) {
      table = table(inForce);
      known = inForce;
    }
    int hash = 0;
    for (int i = 0; i < frame.length(argument); i++) {
      hash = 31 * hash + frame.at(argument, i);
    }
    for (int place = hash & (table.length - 1); ; place = (place + 1) & (table.length - 1)) {
      Entry entry = table[place];
      if (entry == null) {
        return null;
      }
      if (frame.is(argument, entry.name)) {
        return entry.policy;
      }
    }
  }

  /** Never full, so that a search ends. */
  private static @Nullable Entry[] table(Policies policies) {
    int size = Integer.highestOneBit(policies.all().size() + 1) * 4;
    @Nullable Entry[] table = new Entry[size];
    for (Policy policy : policies.all()) {
      byte[] name = policy.name().getBytes(StandardCharsets.UTF_8);
      int hash = 0;
      for (byte b : name) {
        hash = 31 * hash + b;
      }
      int place = hash & (size - 1);
      while (table[place] != null) {
        place = (place + 1) & (size - 1);
      }
      table[place] = new Entry(name, policy);
    }
    return table;
  }

  /** The first few names, for those who used another. */
  String some() {
    StringBuilder names = new StringBuilder();
    int shown = 0;
    for (Policy policy : engine.policies().all()) {
      if (shown++ == SHOWN) {
        return names.append(", ...").toString();
      }
      names.append(names.isEmpty() ? "" : ", ").append(policy.name());
    }
    return names.isEmpty() ? "none" : names.toString();
  }
}
