package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.DefaultResourceLoader;

/** An application with a property that cannot be used does not start, and says how to mend it. */
@ExtendWith(OutputCaptureExtension.class)
class WrongStartTest {

  private static final String LIMIT_ACTION =
      "Write an amount and a time, such as 100/min, 5/second burst 20 or 1000/day fixed-window;"
          + " several limits are joined by semicolons. Or write an expression that finds them, such as"
          + " @plans.limitFor(#principal).";
  private static final String RANGES_ACTION =
      "Write addresses such as 203.0.113.7 and prefixes such as 10.0.0.0/8 or 2001:db8::/32.";

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {}

  private static void start(ClassLoader loader, String... properties) {
    SpringApplication app = new SpringApplication(new DefaultResourceLoader(loader), App.class);
    app.setWebApplicationType(WebApplicationType.NONE);
    String[] arguments = new String[properties.length];
    for (int i = 0; i < properties.length; i++) {
      arguments[i] = "--" + properties[i];
    }
    assertThatThrownBy(() -> app.run(arguments)).isNotNull();
  }

  private static void start(String... properties) {
    start(WrongStartTest.class.getClassLoader(), properties);
  }

  private static void assertReport(
      CapturedOutput output, String description, String reason, String action) {
    assertThat(output.getAll())
        .contains("APPLICATION FAILED TO START")
        .contains(
            String.join(
                System.lineSeparator(),
                "Description:",
                "",
                description + "\n\nReason: " + reason,
                "",
                "Action:",
                "",
                action,
                ""));
  }

  @Test
  void a_wrong_limit(CapturedOutput output) {
    start("stint.rules.api.limit=100/minit");
    assertReport(
        output,
        "The property 'stint.rules.api.limit' cannot be used: its value is " + "'100/minit'.",
        "rate string \"100/minit\": unknown unit 'minit' at column 5; did you " + "mean 'minute'?",
        LIMIT_ACTION);
  }

  @Test
  void a_rule_without_a_limit(CapturedOutput output) {
    start("stint.rules.api.by=address");
    assertReport(
        output,
        "The property 'stint.rules.api.limit' cannot be used.",
        "a rule must have a limit",
        LIMIT_ACTION);
  }

  @Test
  void a_wrong_source_of_keys(CapturedOutput output) {
    start("stint.rules.api.limit=100/min", "stint.rules.api.by=adress");
    assertReport(
        output,
        "The property 'stint.rules.api.by' cannot be used: its value is " + "'adress'.",
        "a key must be address, bearer, header:NAME, cookie:NAME, query:NAME, "
            + "principal, route or tenant, joined by '|' (the first that is there) "
            + "or '+' (all together): 'adress'",
        "Write what tells clients apart, such as address, bearer, "
            + "header:X-Api-Key or 'bearer | address'; or the name of a KeySource "
            + "bean.");
  }

  @Test
  void a_wrong_prefix_of_addresses(CapturedOutput output) {
    start("stint.allow=10.0.0.0/33");
    assertReport(
        output,
        "The property 'stint.allow' cannot be used: its value is '10.0.0.0/33'.",
        "the prefix of an address range must be a whole number from 0 to 32: " + "\"10.0.0.0/33\"",
        RANGES_ACTION);
  }

  @Test
  void all_the_world_as_a_trusted_proxy(CapturedOutput output) {
    start("stint.trusted-proxies=*");
    assertReport(
        output,
        "The property 'stint.trusted-proxies' cannot be used: its value is '*'.",
        "trusted proxies must be your own, or anyone could choose the address "
            + "they are counted for: \"*\"; name the addresses of your proxies, such "
            + "as 10.0.0.0/8",
        RANGES_ACTION);
  }

  @Test
  void redis_without_its_libraries(CapturedOutput output) {
    start(new FilteredClassLoader("dev.stint.redis"), "stint.store=redis");
    assertReport(
        output,
        "The property 'stint.store' cannot be used: its value is 'redis'.",
        "counting in Redis needs dev.stint:stint-redis on the class path, and a"
            + " LettuceConnectionFactory or stint.redis.uri",
        "Add dev.stint:stint-redis, and spring-boot-starter-data-redis with its default client"
            + " Lettuce for the connection settings of spring.data.redis; or give stint.redis.uri.");
  }

  @Test
  void a_status_that_is_no_refusal(CapturedOutput output) {
    start("stint.refusal.status=200");
    assertReport(
        output,
        "The property 'stint.refusal.status' cannot be used: its value is '200'.",
        "the status of a refusal must be from 400 to 599: 200",
        "Write a status from 400 to 599, such as 429 or 503.");
  }

  @Test
  void a_content_type_that_is_no_header(CapturedOutput output) {
    start("stint.refusal.body=later", "stint.refusal.content-type=text/plain; name=\u00e9");
    assertReport(
        output,
        "The property 'stint.refusal.content-type' cannot be used: its value is"
            + " 'text/plain; name=\u00e9'.",
        "a content type must be like text/plain or application/json;charset=UTF-8:"
            + " 'text/plain; name=\u00e9'",
        "Write a media type such as text/plain;charset=UTF-8 or application/json.");
  }

  @Test
  void a_cost_that_asks_for_what_no_request_has(CapturedOutput output) {
    start("stint.rules.api.limit=10/min", "stint.rules.api.cost=headr('X-Batch-Size')");
    assertThat(output.getAll())
        .contains(
            "The property 'stint.rules.api.cost' cannot be used: its value is"
                + " 'headr('X-Batch-Size')'.")
        .contains("an expression over the request such as");
  }
}
