package dev.stint.spring.test;

import dev.stint.testkit.ManualTime;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The clock, in the place of any other that the application has. */
@Configuration(proxyBeanMethods = false)
class ManualTimeConfiguration {

  static final String BEAN = "stintManualTime";

  @Bean(BEAN)
  @Primary
  ManualTime stintManualTime() {
    return ManualTime.create();
  }
}
