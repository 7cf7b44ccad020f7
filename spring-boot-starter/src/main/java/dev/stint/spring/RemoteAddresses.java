package dev.stint.spring;

import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** How rules and methods find the remote address of a request in this application. */
final class RemoteAddresses {

  private final Environment environment;
  private final ForwardedHeaders forwarded;
  private final StintProperties started;
  private final Supplier<HttpLimiters> limiters;

  /**
   * Reads what the server does.
   *
   * @param started what the application was started with
   */
  RemoteAddresses(
      Environment environment,
      ListableBeanFactory beans,
      StintProperties started,
      Supplier<HttpLimiters> limiters) {
    this.environment = environment;
    this.forwarded = ForwardedHeaders.of(environment, beans);
    this.started = started;
    this.limiters = limiters;
  }

  /** See {@link ForwardedHeaders#asksConnection}. */
  boolean askConnection(RulesInForce rules) {
    return forwarded.asksConnection(rules.propertiesOr(started));
  }

  /** The same by the rules that are in force now. */
  boolean askConnection() {
    return askConnection(limiters.get().inForce());
  }

  /** Refuses rules that count by address if clients could choose it. */
  void check(RulesInForce rules) {
    check(rules, rules.needsAddress());
  }

  /** The same for methods that count by address beside these rules. */
  void checkMethods(HttpLimiters rules) {
    check(rules.inForce(), true);
  }

  private void check(RulesInForce rules, boolean needsAddress) {
    forwarded.check(needsAddress, rules.propertiesOr(started), environment);
  }
}
