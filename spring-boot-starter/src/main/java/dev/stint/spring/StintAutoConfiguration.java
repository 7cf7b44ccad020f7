package dev.stint.spring;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The store and the rules of an application. */
@AutoConfiguration(
    after = RedisStoreAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnProperty(name = "stint.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StintProperties.class)
public class StintAutoConfiguration {

  private static final Log LOG = LogFactory.getLog(StintAutoConfiguration.class);
  private static final String FORWARDED = "server.forward-headers-strategy";
  private static final String BELIEVES_ANYBODY =
      "STINT-HTTP-2: with "
          + FORWARDED
          + "=framework any client can choose the address it is counted by, by writing it into"
          + " X-Forwarded-For. Set it to none, and stint.trusted-proxies to the addresses of your"
          + " proxies.";

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(Store.class)
  Store stintStore(StintProperties properties, ObjectProvider<TimeSource> time) {
    if (properties.store() == StintProperties.StoreKind.REDIS) {
      throw new WrongPropertyException(
          "stint.store",
          "redis",
          "counting in Redis needs libraries that are not on the class path",
          "Add dev.stint:stint-redis, and spring-boot-starter-data-redis for the connection"
              + " settings of spring.data.redis; or give stint.redis.uri.",
          null);
    }
    return memory(properties, time);
  }

  private static Store memory(StintProperties properties, ObjectProvider<TimeSource> time) {
    return Rules.checked(
        "stint.memory.max-keys",
        Long.toString(properties.memory().maxKeys()),
        "Write how many keys to count one by one, such as 1000000.",
        () -> {
          MemoryStore.Builder memory = MemoryStore.builder().maxKeys(properties.memory().maxKeys());
          time.ifAvailable(memory::time);
          return memory.build();
        });
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Stores stintStores(
      Store store,
      StintProperties properties,
      ObjectProvider<TimeSource> time,
      ObjectProvider<StoreDecorator> decorators) {
    return Rules.checked(
        "stint.instances",
        Integer.toString(properties.instances()),
        "Write how many instances of this application run, at least 1.",
        () ->
            new Stores(
                store,
                properties.onStoreError(),
                () -> memory(properties, time).share(properties.instances()),
                inner -> decorated(inner, decorators)));
  }

  private static Store decorated(Store store, ObjectProvider<StoreDecorator> decorators) {
    return decorators.orderedStream().reduce(store, (inner, one) -> one.apply(inner), (a, b) -> b);
  }

  @Bean
  @ConditionalOnMissingBean
  HttpLimiters stintHttpLimiters(
      Stores stores,
      StintProperties properties,
      ListableBeanFactory beans,
      Environment environment,
      ObjectProvider<Rule> rules,
      ObjectProvider<HttpLimiterCustomizer> customizers) {
    if ("framework".equalsIgnoreCase(environment.getProperty(FORWARDED))) {
      LOG.warn(BELIEVES_ANYBODY);
    }
    LimiterFactory factory =
        new LimiterFactory(properties, stores, beans.getBeansOfType(KeySource.class));
    HttpLimiter.Builder builder = factory.builder().rules(rules.orderedStream().toList());
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return new HttpLimiters(
        builder.buildBeforeAuthentication(), builder.buildAfterAuthentication());
  }
}
