package dev.stint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The wall clock is derived from two readings, between which a thread may be stalled. */
class SystemTimeTest {

  private static final long START = 1_700_000_000_000_000L;
  private static final long SECOND = 1_000_000;

  /** Two clocks that run alike, and a thread that is stalled just after it read one of them. */
  private static final class TwoClocks extends SystemTime {
    private static long now = START;
    private static long wallStep;
    private static long stallAfterNano;
    private static long stallAfterWall;

    @Override
    long nanoTime() {
      long nanos = now * 1000;
      now += stallAfterNano;
      stallAfterNano = 0;
      return nanos;
    }

    @Override
    long wallMicros() {
      long wall = now + wallStep;
      now += stallAfterWall;
      stallAfterWall = 0;
      return wall;
    }

    static TwoClocks create() {
      now = START;
      wallStep = 0;
      stallAfterNano = 0;
      stallAfterWall = 0;
      return new TwoClocks();
    }
  }

  private static long error(TwoClocks time) {
    return time.wall(time.micros()) - (TwoClocks.now + TwoClocks.wallStep);
  }

  @Test
  void a_stall_between_the_two_readings_does_not_shift_the_wall_clock() {
    TwoClocks time = TwoClocks.create();
    TwoClocks.now += 2 * SECOND;
    long micros = time.micros();
    TwoClocks.stallAfterWall = SECOND / 2;
    assertThat(time.wall(micros)).isEqualTo(micros);
    assertThat(error(time)).isZero();
    TwoClocks.now += 2 * SECOND;
    micros = time.micros();
    TwoClocks.stallAfterNano = SECOND / 2;
    assertThat(time.wall(micros)).isEqualTo(micros);
    assertThat(error(time)).isZero();
  }

  @Test
  void a_stall_while_the_class_is_loaded_does_not_shift_it_either() {
    TwoClocks.create();
    TwoClocks.stallAfterNano = SECOND / 2;
    TwoClocks time = new TwoClocks();
    assertThat(error(time)).isZero();
  }

  @Test
  void a_step_of_the_wall_clock_is_noticed_within_a_second() {
    TwoClocks time = TwoClocks.create();
    TwoClocks.wallStep = -3600 * SECOND;
    TwoClocks.now += SECOND + 1;
    assertThat(error(time)).isZero();
    TwoClocks.wallStep = 7;
    TwoClocks.now += SECOND + 1;
    assertThat(error(time)).isZero();
  }
}
