package dev.stint.memory;

import static dev.stint.algorithm.Operation.INC;
import static dev.stint.algorithm.Operation.REFUND;
import static dev.stint.algorithm.Operation.RESET;
import static dev.stint.algorithm.Operation.SET;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Both keys have rows, or get them, in a segment that is crowded: the first key lives in it, the
 * second is new, and its row is one too many. So the first who asks for the second key rebuilds the
 * segment under the feet of whoever asks for the first.
 */
public abstract class CrowdedScene extends Scene {

  private static final int ROWS_UNTIL_CROWDED = 9;

  CrowdedScene(Setting setting) {
    super(setting, 1000);
    for (int other = 2; other < ROWS_UNTIL_CROWDED + 1; other++) {
      run(INC, other, 1);
      if (other % 2 == 0) {
        run(RESET, other, 1);
      }
    }
    run(INC, 0, setting.owed());
    time.pass(setting.waited());
  }

  @Operation
  public void refund(@Param(name = "key") int key, @Param(name = "n") int n) {
    run(REFUND, key, cost(n));
  }

  @Operation
  public void set(@Param(name = "key") int key, @Param(name = "n") int n) {
    run(SET, key, cost(n - 1));
  }

  @Operation
  public void reset(@Param(name = "key") int key) {
    run(RESET, key, 1);
  }
}
