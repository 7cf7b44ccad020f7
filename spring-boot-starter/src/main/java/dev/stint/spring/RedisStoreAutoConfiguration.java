package dev.stint.spring;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.redis.RedisStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The store in Redis, if it is asked for. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
    })
@ConditionalOnClass(RedisStore.class)
@ConditionalOnProperty(name = "stint.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "stint.store", havingValue = "redis")
@EnableConfigurationProperties(StintProperties.class)
public class RedisStoreAutoConfiguration {

  private static final Log LOG = LogFactory.getLog(RedisStoreAutoConfiguration.class);

  private static RedisStore build(
      RedisStore.Builder builder,
      StintProperties.Redis redis,
      Environment environment,
      ObjectProvider<TimeSource> time) {
    time.ifAvailable(builder::time);
    String prefix = redis.prefix() == null ? defaultPrefix(environment) : redis.prefix();
    Rules.checked(
        "stint.redis.prefix",
        prefix,
        "Write a prefix without braces; it is made of spring.application.name if not given.",
        () -> builder.prefix(prefix));
    LOG.info("Counts are stored in Redis under the prefix " + prefix + " (stint.redis.prefix).");
    return builder.deadline(redis.deadline()).build();
  }

  /** Applications that share a Redis have counts of their own, unless they share a name. */
  private static String defaultPrefix(Environment environment) {
    String name = environment.getProperty("spring.application.name", "").strip();
    return name.isEmpty() ? "stint:" : "stint:" + name + ":";
  }

  /** On the servers that Stint's own properties name. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("stint.redis.uri")
  static class OwnServers {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(Store.class)
    RedisStore stintStore(
        StintProperties properties, Environment environment, ObjectProvider<TimeSource> time) {
      String uri = String.valueOf(properties.redis().uri());
      return Rules.checked(
          "stint.redis",
          uri,
          "Write an address such as redis://localhost:6379, a prefix and a deadline such as 25ms.",
          () -> build(RedisStore.builder(uri), properties.redis(), environment, time));
    }
  }

  /** On the application's own servers, through its own Lettuce. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LettuceConnectionFactory.class)
  @ConditionalOnBean(LettuceConnectionFactory.class)
  static class BootServers {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(Store.class)
    RedisStore stintStore(
        StintProperties properties,
        LettuceConnectionFactory connections,
        Environment environment,
        ObjectProvider<TimeSource> time) {
      return Rules.checked(
          "stint.redis",
          null,
          "Name the server to count on in stint.redis.uri, such as redis://localhost:6379, or check"
              + " spring.data.redis, stint.redis.prefix and stint.redis.deadline.",
          () -> build(BootRedis.builder(connections), properties.redis(), environment, time));
    }
  }
}
