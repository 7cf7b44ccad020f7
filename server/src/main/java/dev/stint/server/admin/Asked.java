package dev.stint.server.admin;

import dev.stint.Spelling;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what somebody asks about: a policy and a key, or a domain and a descriptor. */
final class Asked {

  private static final int SHOWN = 8;
  private static final int LONGEST_SHOWN = 64;

  private Asked() {}

  static Policy policy(Policies policies, @Nullable String name) {
    if (name == null) {
      throw new BadAsk(400, "policy must be given, was missing; " + some(names(policies)));
    }
    Policy policy = policies.find(name);
    if (policy == null) {
      throw unknown("policy", name, names(policies));
    }
    return policy;
  }

  static String domain(Policies policies, String name) {
    if (!policies.rls().domains().containsKey(name)) {
      throw unknown("domain", name, List.copyOf(policies.rls().domains().keySet()));
    }
    return name;
  }

  private static BadAsk unknown(String what, String name, List<String> known) {
    String shown = name.length() <= LONGEST_SHOWN ? name : name.substring(0, LONGEST_SHOWN) + "…";
    return new BadAsk(
        404,
        "unknown " + what + " '" + shown + "'" + Spelling.hint(name, known, "; " + some(known)));
  }

  private static List<String> names(Policies policies) {
    return policies.all().stream().map(Policy::name).toList();
  }

  private static String some(List<String> names) {
    return names.isEmpty()
        ? "there are none"
        : "there are: "
            + String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
            + (names.size() > SHOWN ? ", …" : "");
  }

  static byte[] key(@Nullable String text, int longest) {
    byte[] key = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    if (key.length == 0 || key.length > longest) {
      throw new BadAsk(
          400,
          "key must be a text of 1 to "
              + longest
              + " bytes, "
              + (text == null ? "was missing" : "had " + key.length));
    }
    return key;
  }

  static long cost(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    if (!text.matches("[0-9]{1,15}") || Long.parseLong(text) < 1) {
      throw new BadAsk(
          400,
          "cost must be a whole number, at least 1: '"
              + (text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…")
              + "'");
    }
    return Long.parseLong(text);
  }

  /** Reads {@code k=v,k2=v2}; a backslash before a comma makes it part of the value. */
  static List<Map.Entry<String, String>> descriptor(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      throw new BadAsk(
          400, "descriptor must be given with domain, such as key=value,key2=value2, was missing");
    }
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    StringBuilder entry = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && ",\\".indexOf(text.charAt(i + 1)) >= 0) {
        entry.append(text.charAt(++i));
      } else if (c == ',') {
        entries.add(entry(entry.toString()));
        entry.setLength(0);
      } else {
        entry.append(c);
      }
    }
    entries.add(entry(entry.toString()));
    return entries;
  }

  /** A key alone has an empty value, as with Envoy. */
  private static Map.Entry<String, String> entry(String text) {
    int equals = text.indexOf('=');
    if (text.isEmpty() || equals == 0) {
      throw new BadAsk(
          400,
          "descriptor must be key=value,key2=value2, but an entry had no key; write a comma within"
              + " a value as \\,");
    }
    return equals < 0
        ? new SimpleImmutableEntry<>(text, "")
        : new SimpleImmutableEntry<>(text.substring(0, equals), text.substring(equals + 1));
  }
}
