package dev.stint.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a bean's method may be called; on a class, each of its public methods and each
 * of its handlers of web requests.
 *
 * <pre>{@code
 * @RateLimited(value = "100/min; 1000/day", by = "#user.id", cost = "#items.size()")
 * Receipt order(User user, List<Item> items) { ... }
 * }</pre>
 *
 * <p>Several of them, on the method, on its class, on what these override or inside other
 * annotations, are decided together: a call that one of them refuses is charged by none. A refused
 * call throws {@link RateLimitedException}, unless there is a {@link #fallback}. Methods that
 * return a future fail it instead; methods that return a {@code Mono}, a {@code Flux} or a {@code
 * Flow} are asked, and called, anew at each subscription; suspending functions are asked without
 * blocking.
 *
 * <p>As with all that Spring does around methods, only calls from other beans are seen.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimits.class)
public @interface RateLimited {

  /**
   * The limits, such as {@code "100/min"}; several are joined by semicolons. Like every text here,
   * it may hold placeholders: {@code "${orders.limit:100/min}"}.
   */
  String value();

  /**
   * Whom a call is counted for: an expression over the arguments, such as {@code "#user.id"},
   * {@code "#p0"} or, for two together, {@code "{#tenant, #user.id}"}. {@code #root} has {@code
   * method}, {@code args}, {@code target} and {@code targetClass}; {@code @name} is a bean.
   *
   * <p>Or, of the web request that the method is called for, what rules count by: {@code
   * "address"}, {@code "principal"}, {@code "bearer"}, {@code "header:X-Api-Key"}, {@code
   * "principal | address"}, the name of a {@link dev.stint.http.KeySource} bean.
   *
   * <p>If not given, handlers of web requests count by the client's address. All calls of other
   * methods share one budget, as with {@code "all"}. So do calls that have no key: because the
   * expression gives null or nothing, the request does not have what is asked for or has it twice,
   * or the method is not called for a request.
   */
  String by() default "";

  /**
   * What a call costs: an expression as in {@link #by}, 1 if there is none. A call of cost 0 is not
   * charged and not refused; less than 0 counts as 1.
   */
  String cost() default "";

  /**
   * The name of the budget, which headers and metrics show: 1 to 64 letters, digits, '_', '.' or
   * '-'. Where names, limits and keys are the same, one budget is shared.
   *
   * <p>If not given it is {@code Class.method}, of which clients see the method only; a second
   * annotation of the same method adds {@code .2}. Overloads have one name, and so one budget.
   */
  String name() default "";

  /**
   * The method of the same class to call in place of a refused one. It has the same parameters or
   * none, and returns the same. Of several annotations' fallbacks the first is called, whichever of
   * them refuses; those of the method come before those of the class.
   */
  String fallback() default "";

  /** Whether it only watches: it decides, is counted and reported, and never refuses. */
  boolean shadow() default false;

  /**
   * What happens to calls while the store cannot be asked; as {@code stint.on-store-error} if not
   * given. Annotations that differ in this are asked one after the other.
   */
  OnStoreError[] onStoreError() default {};
}
