package dev.stint.spring.method;

import dev.stint.Decision;
import dev.stint.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is counted under one name for limited methods, of which several may share it. */
public final class MethodBudget {

  private record Part(LimitedMethod method, int index) {

    Budget budget() {
      return method.budgets().get(index);
    }
  }

  private record Place(List<Limit> limits, @Nullable String key) {}

  private interface Visitor {
    void visit(Part part, @Nullable String key);
  }

  private final String name;
  private final List<Part> parts = new ArrayList<>(1);

  private MethodBudget(String name) {
    this.name = name;
  }

  static List<MethodBudget> of(Collection<LimitedMethod> methods) {
    Map<String, MethodBudget> named = new TreeMap<>();
    for (LimitedMethod method : methods) {
      for (int i = 0; i < method.budgets().size(); i++) {
        String name = method.budgets().get(i).rule().name();
        named.computeIfAbsent(name, MethodBudget::new).parts.add(new Part(method, i));
      }
    }
    return List.copyOf(named.values());
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** Whether all methods only watch. */
  public boolean isShadow() {
    return parts.stream().allMatch(part -> part.budget().rule().isShadow());
  }

  /** The limits, as they were given. */
  public List<String> limits() {
    return parts.stream()
        .flatMap(part -> part.budget().rule().limits().stream())
        .map(Limit::toString)
        .distinct()
        .toList();
  }

  /** Whom calls are counted for, in the words of the annotations. */
  public String by() {
    return texts(part -> part.budget().key().words()).collect(Collectors.joining(", "));
  }

  /** The methods, with the simple names of their classes. */
  public List<String> methods() {
    return texts(part -> part.method().shortName()).toList();
  }

  private Stream<String> texts(Function<Part, String> text) {
    return parts.stream().map(text).distinct().sorted();
  }

  /**
   * Asks what the limits would say to one unit for a key, and takes nothing. The key is what the
   * annotation counts by, such as {@code 203.0.113.9}; {@code all} where all callers share.
   *
   * @throws IllegalArgumentException if there is no such key
   */
  public List<Decision> peek(String key) {
    List<Decision> decisions = new ArrayList<>(1);
    distinct(key, (part, text) -> decisions.add(part.method().limiter().peek(part.index(), text)));
    return decisions;
  }

  /** Forgets what was counted for a key, which is as in {@link #peek}. */
  public void reset(String key) {
    distinct(key, (part, text) -> part.method().limiter().reset(part.index(), text));
  }

  /** Methods that share a budget are asked for it once. */
  private void distinct(String key, Visitor visitor) {
    Set<Place> seen = new HashSet<>();
    for (Part part : parts) {
      Budget budget = part.budget();
      if (budget.key().accepts(key)) {
        String text = budget.key().textOf(key);
        if (seen.add(new Place(budget.rule().limits(), text))) {
          visitor.visit(part, text);
        }
      }
    }
    if (seen.isEmpty()) {
      throw new IllegalArgumentException(
          "the key of a budget that all callers share must be " + CallKey.ALL + ": " + key);
    }
  }
}
