package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.web.bind.annotation.GetMapping;
import reactor.core.publisher.Mono;

/** What cannot be used stops the start, and is told with its place and the cure. */
class WrongAnnotationTest {

  private static final String PLACE = "@RateLimited on dev.stint.spring.WrongAnnotationTest$";

  private static FailureAnalysis failure(Class<?>... beans) {
    FailureAnalysis[] found = new FailureAnalysis[1];
    MethodApp.with(beans)
        .run(
            context -> {
              Throwable failure = context.getStartupFailure();
              assertThat(failure).as("the start").isNotNull();
              List<FailureAnalyzer> analyzers =
                  SpringFactoriesLoader.forDefaultResourceLocation()
                      .load(FailureAnalyzer.class, (type, name, e) -> {});
              found[0] =
                  analyzers.stream()
                      .filter(one -> one.getClass().getName().startsWith("dev.stint"))
                      .map(one -> one.analyze(failure))
                      .filter(one -> one != null)
                      .findFirst()
                      .orElseThrow(() -> new AssertionError(failure));
            });
    return found[0];
  }

  static class BadLimit {
    @RateLimited("100/mn")
    void call() {}
  }

  @Test
  void a_limit_that_cannot_be_read() {
    FailureAnalysis analysis = failure(BadLimit.class);
    assertThat(analysis.getDescription())
        .startsWith(PLACE + "BadLimit.call cannot be used: its value is '100/mn'.\n\nReason: ")
        .contains("mn");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Write an amount and a time, such as 100/min, 5/second burst 20 or 1000/day"
                + " fixed-window; several limits are joined by semicolons.");
  }

  @RateLimited("1/min")
  static class FinalHandler {
    @GetMapping("/x")
    final String call() {
      return "x";
    }
  }

  @Test
  void a_handler_that_a_limit_on_its_class_cannot_cover() {
    FailureAnalysis analysis = failure(FinalHandler.class);
    assertThat(analysis.getDescription())
        .startsWith(PLACE + "FinalHandler.call cannot be used")
        .contains("a limited method must not be private, static or final: final");
  }

  static class BadPlaceholder {
    @RateLimited("${orders.limit}")
    void call() {}
  }

  @Test
  void a_placeholder_that_nobody_fills() {
    assertThat(failure(BadPlaceholder.class).getDescription())
        .startsWith(PLACE + "BadPlaceholder.call cannot be used: its value is '${orders.limit}'.")
        .contains("orders.limit");
  }

  static class BadExpression {
    @RateLimited(value = "1/min", by = "#user.")
    void call(String user) {}
  }

  @Test
  void an_expression_that_cannot_be_read() {
    assertThat(failure(BadExpression.class).getDescription())
        .startsWith(PLACE + "BadExpression.call cannot be used: its by is '#user.'.\n\nReason: ");
  }

  static class UnknownParameter {
    @RateLimited(value = "1/min", cost = "#itms.size()")
    void call(List<String> items) {}
  }

  @Test
  void a_parameter_that_is_not_there() {
    FailureAnalysis analysis = failure(UnknownParameter.class);
    assertThat(analysis.getDescription())
        .endsWith("a variable must be one of [#items, #p0, #a0, #root, #this]: #itms");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Write an expression over the method's parameters, such as #user.id or #p0. To have"
                + " parameters by name, compile with -parameters.");
  }

  static class NoHash {
    @RateLimited(value = "1/min", by = "user.name")
    void call(String user) {}
  }

  @Test
  void a_parameter_without_its_hash() {
    assertThat(failure(NoHash.class).getDescription())
        .endsWith("an expression must begin with a parameter, such as #user: user");
  }

  static class NoHashInside {
    @RateLimited(value = "1/min", by = "#tenant + user")
    void call(String tenant, String user) {}
  }

  @Test
  void a_parameter_without_its_hash_after_another() {
    assertThat(failure(NoHashInside.class).getDescription())
        .endsWith("an expression must begin with a parameter, such as #user: user");
  }

  static class Misspelled {
    @RateLimited(value = "1/min", by = "adress")
    void call(String user) {}
  }

  static class Unheard {
    @RateLimited(value = "1/min", by = "customer")
    void call(String user) {}
  }

  @Test
  void a_word_that_is_none() {
    FailureAnalysis analysis = failure(Misspelled.class);
    assertThat(analysis.getDescription())
        .startsWith(PLACE + "Misspelled.call cannot be used: its by is 'adress'.")
        .contains("a key must be address, bearer, header:NAME, cookie:NAME")
        .endsWith(": 'adress'; did you mean 'address'?");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Write an expression over the method's parameters, such as #user.id or #p0. To have"
                + " parameters by name, compile with -parameters. Or, for web requests, write what"
                + " tells clients apart, such as address, principal, header:X-Api-Key or"
                + " 'principal | address'; or all, for one budget that all callers share.");
    assertThat(failure(Unheard.class).getDescription())
        .contains("a key must be address, bearer, header:NAME, cookie:NAME")
        .endsWith(": 'customer'");
  }

  static class WithoutWeb {
    @RateLimited(value = "1/min", by = "principal | address")
    void call(String user) {}
  }

  @Test
  void a_word_for_requests_where_there_are_none() {
    assertThat(failure(WithoutWeb.class).getDescription())
        .endsWith(
            "a key of web requests must not be used in an application without Spring MVC or"
                + " WebFlux: principal | address");
  }

  static class BadName {
    @RateLimited(value = "1/min", name = "all orders")
    void call() {}
  }

  @Test
  void a_name_that_is_none() {
    assertThat(failure(BadName.class).getDescription())
        .endsWith(
            "the name of a rule must be 1 to 64 letters, digits, '_', '.' or '-': all orders");
  }

  static class SameLimits {
    @RateLimited("1/min; 1/min")
    void call() {}
  }

  @Test
  void limits_that_do_not_differ() {
    FailureAnalysis analysis = failure(SameLimits.class);
    assertThat(analysis.getDescription())
        .startsWith(PLACE + "SameLimits.call cannot be used: its value is '1/min; 1/min'.")
        .contains("limits must differ in algorithm, window or name");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Write limits that differ in window or algorithm, or name them: 10/min named a.");
  }

  static class NoFallback {
    @RateLimited(value = "1/min", fallback = "later")
    void call() {}
  }

  static class FallbackOfOthers {
    @RateLimited(value = "1/min", fallback = "later")
    String call(String user) {
      return user;
    }

    String later(int user) {
      return "later";
    }
  }

  static class FallbackOfAnotherType {
    @RateLimited(value = "1/min", fallback = "later")
    Mono<String> call() {
      return Mono.empty();
    }

    Mono<Integer> later() {
      return Mono.empty();
    }
  }

  @Test
  void a_fallback_that_does_not_fit() {
    FailureAnalysis analysis = failure(NoFallback.class);
    assertThat(analysis.getDescription())
        .startsWith(PLACE + "NoFallback.call cannot be used: its fallback is 'later'.")
        .endsWith(
            "the fallback must be a method of dev.stint.spring.WrongAnnotationTest$NoFallback:"
                + " there is no later");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Name a method of the same class that has the same parameters or none and returns the"
                + " same.");
    assertThat(failure(FallbackOfOthers.class).getDescription())
        .endsWith("the fallback must have the same parameters or none: later(int)");
    assertThat(failure(FallbackOfAnotherType.class).getDescription())
        .endsWith(
            "the fallback must return reactor.core.publisher.Mono<java.lang.String> as the method"
                + " does: reactor.core.publisher.Mono<java.lang.Integer> later()");
  }

  static class Hidden {
    @SuppressWarnings("unused")
    @RateLimited("1/min")
    private void call() {}
  }

  static class Fixed {
    @RateLimited("1/min")
    public final void call() {}
  }

  @Test
  void a_method_that_no_proxy_can_stand_before() {
    assertThat(failure(Hidden.class).getDescription())
        .endsWith("a limited method must not be private, static or final: private");
    assertThat(failure(Fixed.class).getDescription())
        .endsWith("a limited method must not be private, static or final: public final");
  }

  static class TwoAnswers {
    @RateLimited(
        value = "1/min",
        onStoreError = {OnStoreError.ALLOW, OnStoreError.DENY})
    void call() {}
  }

  @Test
  void two_answers_for_one_store() {
    assertThat(failure(TwoAnswers.class).getDescription())
        .contains("its onStoreError is '[ALLOW, DENY]'")
        .endsWith("there must be one answer at most: 2");
  }

  @Configuration(proxyBeanMethods = false)
  static class Namesakes {

    @Bean
    Till ours() {
      return new Till();
    }

    @Bean
    dev.stint.spring.other.Till theirs() {
      return new dev.stint.spring.other.Till();
    }
  }

  @Test
  void classes_of_one_name_that_would_share_a_budget_unawares() {
    FailureAnalysis analysis = failure(Namesakes.class);
    assertThat(analysis.getDescription())
        .startsWith("@RateLimited on dev.stint.spring.other.Till.open cannot be used")
        .endsWith(
            "the name Till.open must not be another's already: that of dev.stint.spring.Till");
    assertThat(analysis.getAction())
        .isEqualTo(
            "Give one of them a name of its own; or both the same, if they are to share a"
                + " budget.");
  }
}
