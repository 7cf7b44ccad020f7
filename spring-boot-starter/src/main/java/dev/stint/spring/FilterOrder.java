package dev.stint.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Where the filters stand: around the security chain, wherever that stands. Boot puts it at −100,
 * and the filters then stand at −200 and −50.
 *
 * @param beforeAuthentication the order of the filter in front of the chain
 * @param afterAuthentication the order of the filter behind it
 */
record FilterOrder(int beforeAuthentication, int afterAuthentication) {

  private static final int DEFAULT_OF_SECURITY = -100;
  private static final int IN_FRONT = 100;
  private static final int BEHIND = 50;

  /** Boot's registration of the chain with servlets. */
  private static final String SERVLET_CHAIN = "securityFilterChainRegistration";

  private static final String SERVLET_PROPERTY = "spring.security.filter.order";

  /** Spring Security's own filter with WebFlux. */
  private static final String WEB_FLUX_CHAIN =
      "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration"
          + ".WebFilterChainFilter";

  /** In front of servlets: as the chain is registered, or as it is set to be. */
  static FilterOrder ofServlets(Environment environment, ListableBeanFactory beans) {
    if (beans.containsBean(SERVLET_CHAIN)
        && beans.getBean(SERVLET_CHAIN) instanceof Ordered chain) {
      return around(chain.getOrder());
    }
    return around(environment.getProperty(SERVLET_PROPERTY, Integer.class, DEFAULT_OF_SECURITY));
  }

  /** In front of WebFlux: as the chain's filter is ordered. */
  static FilterOrder ofWebFlux(ListableBeanFactory beans) {
    Order order =
        beans.containsBean(WEB_FLUX_CHAIN)
            ? beans.findAnnotationOnBean(WEB_FLUX_CHAIN, Order.class)
            : null;
    return around(order);
  }

  private static FilterOrder around(@Nullable Order chain) {
    return around(chain == null ? DEFAULT_OF_SECURITY : chain.value());
  }

  private static FilterOrder around(int chain) {
    return new FilterOrder(
        (int) Math.max(Ordered.HIGHEST_PRECEDENCE, (long) chain - IN_FRONT),
        (int) Math.min(Ordered.LOWEST_PRECEDENCE, (long) chain + BEHIND));
  }
}
