package dev.stint.spring.method;

import dev.stint.http.CallLimiter;
import dev.stint.spring.HttpLimiters;
import dev.stint.spring.RateLimitExempt;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Which methods are limited. Each is read when its bean is made, so that mistakes show then. */
final class LimitedMethods {

  private static final String HANDLER = "org.springframework.web.bind.annotation.RequestMapping";
  private static final String EXCHANGE = "org.springframework.web.service.annotation.HttpExchange";
  private static final String CONTROLLER = "org.springframework.stereotype.Controller";

  private record Place(Method method, Class<?> type) {}

  private final ConfigurableBeanFactory beans;
  private final WebRequests requests;
  private final Function<List<Budget>, CallLimiter> limiters;
  private final Map<Place, LimitedMethod> known = new ConcurrentHashMap<>();
  private final Map<String, Class<?>> namedByClass = new ConcurrentHashMap<>();
  private volatile boolean started;

  LimitedMethods(
      ConfigurableBeanFactory beans,
      WebRequests requests,
      Function<List<Budget>, CallLimiter> limiters) {
    this.beans = beans;
    this.requests = requests;
    this.limiters = limiters;
  }

  /**
   * Checks what is known by now, and from now on what is read later, as of beans that are lazy.
   *
   * @param beside the rules that are in force, or are about to be
   */
  void check(HttpLimiters beside) {
    started = true;
    all().forEach(method -> method.check(beside));
  }

  /** The methods of all beans that were made. */
  Set<LimitedMethod> all() {
    return new HashSet<>(known.values());
  }

  /** What was said of a method of a bean that was made; null if nothing. */
  @Nullable LimitedMethod known(Method method, Class<?> type) {
    return known.get(new Place(method, type));
  }

  /** What was said of a method; null if nothing, which is so of most and is not kept. */
  @Nullable LimitedMethod find(Method method, Class<?> targetClass) {
    Place asked = new Place(method, targetClass);
    LimitedMethod found = known.get(asked);
    if (found == null) {
      Class<?> type = ClassUtils.getUserClass(targetClass);
      Method specific = AopUtils.getMostSpecificMethod(method, type);
      Place place = new Place(specific, type);
      found = place.equals(asked) ? read(specific, type) : find(specific, type);
      if (found != null) {
        known.put(asked, found);
      }
    }
    return found;
  }

  private @Nullable LimitedMethod read(Method method, Class<?> type) {
    if (ReflectionUtils.isObjectMethod(method) || method.isSynthetic()) {
      return null;
    }
    MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    MergedAnnotations onClass = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
    List<Said> annotations = new ArrayList<>(Said.all(onMethod));
    boolean own = !annotations.isEmpty();
    // Spring calls it, public or not.
    boolean handler = onMethod.isPresent(HANDLER) || onMethod.isPresent(EXCHANGE);
    if (handler || Modifier.isPublic(method.getModifiers())) {
      annotations.addAll(Said.all(onClass));
    }
    if (annotations.isEmpty()
        || onMethod.isPresent(RateLimitExempt.class)
        || onClass.isPresent(RateLimitExempt.class)) {
      return null;
    }
    // Clients that are made of interfaces may have the same annotations.
    boolean routed = handler && onClass.isPresent(CONTROLLER);
    CallKeyReader keys = new CallKeyReader(method, routed, requests);
    AnnotationReader reader = new AnnotationReader(method, type, this::resolved, keys);
    if (own || handler) {
      checkReachable(method, annotations.get(0), reader);
    }
    List<Budget> budgets = budgets(annotations, method, type, reader);
    Fallback fallback = reader.fallback(annotations);
    LimitedMethod limited =
        new LimitedMethod(method, type, budgets, fallback, beans, requests, limiters);
    if (started) {
      limited.check(requests.limiters());
    }
    return limited;
  }

  private String resolved(String text) {
    String resolved = beans.resolveEmbeddedValue(text);
    return resolved == null ? "" : resolved;
  }

  /** A proxy cannot stand before these: the annotation would say what is not so. */
  private static void checkReachable(Method method, Said annotation, AnnotationReader reader) {
    int unreachable = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
    if ((method.getModifiers() & unreachable) != 0) {
      throw reader.wrong(
          "value",
          annotation.value(),
          "a limited method must not be private, static or final: "
              + Modifier.toString(method.getModifiers()),
          "Make it a method that other beans can call and a subclass can override.",
          null);
    }
  }

  private List<Budget> budgets(
      List<Said> annotations, Method method, Class<?> type, AnnotationReader reader) {
    Class<?> named = Proxy.isProxyClass(type) ? method.getDeclaringClass() : type;
    String name = ClassUtils.getShortName(named) + "." + method.getName();
    List<Budget> budgets = new ArrayList<>();
    int unnamed = 0;
    for (Said annotation : annotations) {
      String own = "";
      String shown = "";
      if (annotation.name().isEmpty()) {
        unnamed++;
        String number = unnamed == 1 ? "" : "." + unnamed;
        own = BudgetName.of(name + number);
        shown = BudgetName.of(method.getName() + number);
        checkUnique(own, named, annotation, reader);
      }
      budgets.add(reader.budget(annotation, own, shown));
    }
    return List.copyOf(budgets);
  }

  /** Classes of one name in two packages would share what nobody meant them to. */
  private void checkUnique(String name, Class<?> named, Said annotation, AnnotationReader reader) {
    Class<?> other = namedByClass.putIfAbsent(name, named);
    if (other != null && !other.getName().equals(named.getName())) {
      throw reader.wrong(
          "name",
          annotation.name(),
          "the name " + name + " must not be another's already: that of " + other.getName(),
          "Give one of them a name of its own; or both the same, if they are to share a budget.",
          null);
    }
  }
}
