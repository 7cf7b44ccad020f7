package dev.stint.spring;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.http.HttpLimiter;
import dev.stint.http.PatternSyntax;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import java.nio.file.Path;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
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

  /** Makes the rules; an application that makes its own {@link HttpLimiters} reloads none. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(HttpLimiters.class)
  RulesReloader stintRulesReloader(
      Stores stores,
      StintProperties properties,
      ListableBeanFactory beans,
      ConfigurableEnvironment environment,
      ObjectProvider<Rule> rules,
      ObjectProvider<HttpLimiterCustomizer> customizers,
      ApplicationEventPublisher events) {
    PatternSyntax syntax = patternSyntax(beans);
    StintProperties.Reload reload = properties.reload();
    Path file = reload.file() == null ? null : Path.of(reload.file());
    RulesReloader reloader =
        new RulesReloader(
            properties,
            new PropertiesReader(environment, file),
            wanted -> {
              LimiterFactory factory = new LimiterFactory(wanted, stores, beans, syntax);
              HttpLimiter.Builder builder = factory.builder(rules.orderedStream().toList());
              builder.exempt(ProbePaths.of(environment));
              customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
              return new RulesInForce(
                  builder.buildBeforeAuthentication(), builder.buildAfterAuthentication(), wanted);
            },
            events);
    if (file != null) {
      Rules.checked(
          "stint.reload.interval",
          reload.interval().toString(),
          "Write a time such as 1s or 1m.",
          () -> reloader.every(reload.interval()));
    }
    return reloader;
  }

  @Bean
  @ConditionalOnMissingBean
  HttpLimiters stintHttpLimiters(RulesReloader reloader) {
    return reloader.limiters();
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
