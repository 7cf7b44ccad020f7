package dev.stint.spring.test;

import dev.stint.testkit.ManualTime;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Has the application of a {@code @SpringBootTest} decide by a {@link ManualTime}, which the test
 * can have injected and move.
 *
 * <pre>{@code
 * @SpringBootTest
 * @WithManualTime
 * class LoginTest {
 *   @Autowired ManualTime time;
 * }
 * }</pre>
 *
 * <p>Every test method begins on a New Year's Day of its own, at midnight UTC: when a method is
 * over the clock moves on to the next. So whatever an earlier one has used up is free again, though
 * they share one application; only quotas, which never refill, remain used.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(ManualTimeConfiguration.class)
public @interface WithManualTime {}
