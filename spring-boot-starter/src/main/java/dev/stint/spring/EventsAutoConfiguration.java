package dev.stint.spring;

import dev.stint.DecisionEvents;
import dev.stint.DecisionListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** Decisions as events of the application. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnBean(Stores.class)
@ConditionalOnProperty(name = "stint.events.enabled", matchIfMissing = true)
public class EventsAutoConfiguration {

  @Bean(destroyMethod = "close")
  EventPublisher stintEventPublisher(
      ApplicationEventPublisher application, ObjectProvider<DecisionListener> listeners) {
    return new EventPublisher(application, listeners);
  }

  @Bean
  @Order(50) // around the metrics
  StoreDecorator stintEvents(EventPublisher publisher, StintProperties properties) {
    StintProperties.Events wanted = properties.events();
    DecisionEvents near =
        Rules.checked(
            "stint.events.near-limit",
            Double.toString(wanted.nearLimit()),
            "Write the share of a limit that is used, such as 0.8.",
            () -> DecisionEvents.to(publisher::notice).nearLimit(wanted.nearLimit()));
    return Rules.checked(
        "stint.events.interval",
        wanted.interval().toString(),
        "Write a time such as 1s or 1m.",
        () -> near.interval(wanted.interval())::around);
  }
}
