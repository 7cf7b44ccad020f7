package dev.stint.spring;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.PatternSyntax;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

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

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(Store.class)
  Store stintStore(StintProperties properties, ObjectProvider<TimeSource> time) {
    if (properties.store() == StintProperties.StoreKind.REDIS) {
      throw new WrongPropertyException(
          "stint.store",
          "redis",
          "counting in Redis needs dev.stint:stint-redis on the class path, and a"
              + " LettuceConnectionFactory or stint.redis.uri",
          "Add dev.stint:stint-redis, and spring-boot-starter-data-redis with its default client"
              + " Lettuce for the connection settings of spring.data.redis; or give"
              + " stint.redis.uri.",
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
    LimiterFactory factory =
        new LimiterFactory(
            properties, stores, beans.getBeansOfType(KeySource.class), patternSyntax(beans));
    HttpLimiter.Builder builder = factory.builder(rules.orderedStream().toList());
    builder.exempt(ProbePaths.of(environment));
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return new HttpLimiters(
        builder.buildBeforeAuthentication(), builder.buildAfterAuthentication());
  }

  /**
   * Spring's syntax where Spring has it, as in web applications. An application of gRPC alone does
   * not: its class path has not the types that {@link SpringPathPatterns} is made of.
   */
  private static PatternSyntax patternSyntax(ListableBeanFactory beans) {
    boolean isWeb =
        ClassUtils.isPresent(
            "org.springframework.web.util.pattern.PathPatternParser",
            StintAutoConfiguration.class.getClassLoader());
    return isWeb ? SpringPathPatterns.of(beans) : PatternSyntax.SEGMENTS;
  }
}
