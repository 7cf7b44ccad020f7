package dev.stint.spring.test;

import dev.stint.testkit.ManualTime;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Moves the clock on to the next New Year's Day when a test method is over. */
final class NewYearListener implements TestExecutionListener {

  @Override
  public void afterTestMethod(TestContext test) {
    if (!test.hasApplicationContext()) {
      return;
    }
    ApplicationContext context = test.getApplicationContext();
    if (context.containsBean(ManualTimeConfiguration.BEAN)) {
      ManualTime time = context.getBean(ManualTimeConfiguration.BEAN, ManualTime.class);
      int year = time.now().atOffset(ZoneOffset.UTC).getYear();
      time.set(LocalDate.of(year + 1, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC));
    }
  }
}
