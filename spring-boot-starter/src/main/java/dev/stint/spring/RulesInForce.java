package dev.stint.spring;

import dev.stint.http.HttpLimiter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rules that are in force together. A request is decided by those that were in force when it came,
 * before and after authentication.
 *
 * @param properties what they were made of; null if the application made them itself
 */
record RulesInForce(
    HttpLimiter beforeAuthentication,
    HttpLimiter afterAuthentication,
    @Nullable StintProperties properties) {

  /** The attribute of a request that has the rules it is decided by. */
  static final String ATTRIBUTE = RulesInForce.class.getName();

  /** The rules of a request: those it has been given, or those in force now. */
  static RulesInForce of(
      HttpLimiters limiters, Supplier<@Nullable Object> given, Consumer<RulesInForce> give) {
    if (given.get() instanceof RulesInForce known) {
      return known;
    }
    RulesInForce now = limiters.inForce();
    give.accept(now);
    return now;
  }

  /** What they were made of, or else what the application was started with. */
  StintProperties propertiesOr(StintProperties started) {
    return properties == null ? started : properties;
  }

  boolean needsAddress() {
    return beforeAuthentication.needsAddress() || afterAuthentication.needsAddress();
  }
}
