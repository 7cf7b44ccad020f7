package dev.stint.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/** Reloads rules when Spring Cloud has changed properties, also by refreshing the context. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnClass(EnvironmentChangeEvent.class)
@ConditionalOnBean(RulesReloader.class)
public class CloudReloadAutoConfiguration {

  /** What listens; a lambda would not say to which events. */
  record EnvironmentListener(RulesReloader reloader)
      implements ApplicationListener<EnvironmentChangeEvent> {

    @Override
    public void onApplicationEvent(EnvironmentChangeEvent event) {
      reloader.reload();
    }
  }

  @Bean
  EnvironmentListener stintEnvironmentListener(RulesReloader reloader) {
    return new EnvironmentListener(reloader);
  }
}
