package dev.stint.spring.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The method that is called in place of a refused one, on the same object. */
final class Fallback {

  private final Method method;

  private Fallback(Method method) {
    this.method = method;
    ReflectionUtils.makeAccessible(method);
  }

  /** Finds the method of this name that fits; of two, the one with parameters. */
  static Fallback find(String name, Method limited, Class<?> type) {
    Method[] named =
        ReflectionUtils.getUniqueDeclaredMethods(
            type, one -> one.getName().equals(name) && !one.isBridge());
    if (named.length == 0) {
      throw new IllegalArgumentException(
          "the fallback must be a method of " + type.getName() + ": there is no " + name);
    }
    Method fitting =
        Stream.of(values(limited), new Class<?>[0])
            .flatMap(wanted -> Stream.of(named).filter(one -> takes(one, wanted)))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the fallback must have the same parameters or none: "
                            + Stream.of(named)
                                .map(Fallback::signature)
                                .collect(Collectors.joining(", "))));
    checkReturn(fitting, limited, type);
    return new Fallback(fitting);
  }

  private static boolean takes(Method method, Class<?>[] wanted) {
    return Arrays.equals(values(method), wanted);
  }

  /** The parameters, without the continuation that a suspending function has as its last. */
  private static Class<?>[] values(Method method) {
    Class<?>[] all = method.getParameterTypes();
    return KotlinDetector.isSuspendingFunction(method) ? Arrays.copyOf(all, all.length - 1) : all;
  }

  private static void checkReturn(Method fallback, Method limited, Class<?> type) {
    Class<?> wanted = limited.getReturnType();
    ResolvableType whole = ResolvableType.forMethodReturnType(limited, type);
    ResolvableType found = ResolvableType.forMethodReturnType(fallback, type);
    boolean suspendsAlone =
        KotlinDetector.isSuspendingFunction(fallback)
            && !KotlinDetector.isSuspendingFunction(limited);
    if (suspendsAlone
        || !ClassUtils.isAssignable(wanted, fallback.getReturnType())
        || (!wanted.isPrimitive() && !whole.isAssignableFrom(found))) {
      throw new IllegalArgumentException(
          "the fallback must return "
              + whole
              + " as the method does: "
              + found
              + " "
              + signature(fallback));
    }
  }

  private static String signature(Method method) {
    return Stream.of(values(method))
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", method.getName() + "(", ")"));
  }

  /** Calls it; a suspending function gives a publisher. */
  @Nullable Object call(MethodInvocation refused) throws Throwable {
    Object target = refused.getThis();
    Object[] arguments = Arrays.copyOf(refused.getArguments(), values(method).length);
    if (KotlinDetector.isSuspendingFunction(method) && target != null) {
      return Kotlin.call(method, target, refused.getArguments(), arguments);
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /** Loaded only where Kotlin is there. */
  private static final class Kotlin {

    /**
     * Calls a suspending function in the context of the refused call, which also suspends: its last
     * argument is its continuation. Not in its job, which is for the publisher to finish.
     */
    static Object call(Method method, Object target, Object[] refused, Object[] arguments) {
      Continuation<?> continuation = (Continuation<?>) refused[refused.length - 1];
      CoroutineContext context = continuation.getContext().minusKey(Job.Key);
      return CoroutinesUtils.invokeSuspendingFunction(context, method, target, arguments);
    }
  }
}
