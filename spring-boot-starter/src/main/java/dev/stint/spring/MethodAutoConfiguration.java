package dev.stint.spring;

import dev.stint.spring.method.RateLimitedAdvisor;
import java.util.List;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

/** Limits on methods, and what web applications answer when one refuses. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnBean(Stores.class)
@Import(MethodAutoConfiguration.Proxies.class)
public class MethodAutoConfiguration {

  /** Static, and all it needs by provider: it is made before other beans, and must not make any. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitedAdvisor stintRateLimitedAdvisor(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<Stores> stores,
      ObjectProvider<HttpLimiters> limiters,
      ObjectProvider<StintProperties> properties) {
    return new RateLimitedAdvisor(
        beans,
        stores::getObject,
        limiters::getObject,
        () -> LimiterFactory.answeringCalls(properties.getObject(), stores.getObject()));
  }

  /** The names and keys of methods must agree with the rules, also with those of a reload. */
  @Bean
  static SmartInitializingSingleton stintMethodChecks(
      RateLimitedAdvisor methods, ObjectProvider<HttpLimiters> limiters) {
    return () -> limiters.getObject().check(rules -> methods.check(new HttpLimiters(rules)));
  }

  /** Has Spring make proxies, also where nobody else asks for any; of classes, as Boot does. */
  static final class Proxies implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    Proxies(Environment environment) {
      this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
      if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
        AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
      }
    }
  }

  /** With MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass(DispatcherServlet.class)
  static class Servlet {

    @Bean
    MvcRequests stintCurrentRequest(
        Environment environment,
        ListableBeanFactory beans,
        StintProperties properties,
        ObjectProvider<HttpLimiters> limiters) {
      return new MvcRequests(
          new RemoteAddresses(environment, beans, properties, limiters::getObject));
    }

    @Bean
    RateLimitedResolver stintRateLimitedResolver() {
      return new RateLimitedResolver();
    }

    /**
     * After the application's own handlers, and before Spring's default for an {@code
     * ErrorResponse}, which would send an error page.
     */
    @Bean
    WebMvcConfigurer stintRateLimitedMvc(RateLimitedResolver resolver) {
      return new WebMvcConfigurer() {
        @Override
        public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
          int last = resolvers.size();
          for (int i = resolvers.size() - 1; i >= 0; i--) {
            if (resolvers.get(i) instanceof DefaultHandlerExceptionResolver) {
              last = i;
            }
          }
          resolvers.add(last, resolver);
        }
      };
    }
  }

  /** With WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass(DispatcherHandler.class)
  static class WebFlux {

    @Bean
    WebFluxRequests stintCurrentRequest(
        Environment environment,
        ListableBeanFactory beans,
        StintProperties properties,
        ObjectProvider<HttpLimiters> limiters) {
      return new WebFluxRequests(
          new RemoteAddresses(environment, beans, properties, limiters::getObject));
    }

    /** Puts each exchange into the context of its subscription, where methods find it. */
    @Bean
    @ConditionalOnMissingBean
    ServerWebExchangeContextFilter stintExchangeContext() {
      return new ServerWebExchangeContextFilter();
    }

    @Bean
    LimitedHandlerAdapter stintLimitedHandlers(
        RateLimitedAdvisor methods,
        WebFluxRequests requests,
        ObjectProvider<HandlerAdapter> adapters) {
      return new LimitedHandlerAdapter(methods, requests, adapters);
    }

    @Bean
    RateLimitedWebHandler stintRateLimitedWebHandler() {
      return new RateLimitedWebHandler();
    }
  }
}
