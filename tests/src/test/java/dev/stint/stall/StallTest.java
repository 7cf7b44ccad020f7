package dev.stint.stall;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P11: a caller that stalls or dies inside a call changes nothing for others. */
class StallTest {

  @Test
  @Timeout(1800) // nightly tries every point, which takes minutes on an idle machine
  void a_caller_stalled_at_any_point_of_its_call_is_as_one_that_was_not() throws Exception {
    InstrumentedLoader.copyOf(StalledCaller.class).run();
  }

  @Test
  @Timeout(300)
  void an_error_at_any_point_of_a_call_leaves_nothing_behind() throws Exception {
    InstrumentedLoader.copyOf(FailingCaller.class).run();
  }
}
