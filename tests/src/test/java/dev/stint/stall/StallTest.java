package dev.stint.stall;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P11: a caller that stalls or dies inside a call changes nothing for others. */
class StallTest {

  @Test
  @Timeout(300)
  void an_error_at_any_point_of_a_call_leaves_nothing_behind() throws Exception {
    InstrumentedLoader.copyOf(FailingCaller.class).run();
  }
}
