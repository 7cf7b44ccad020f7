package dev.stint.memory;

import static dev.stint.algorithm.Operation.INC;
import static dev.stint.algorithm.Operation.RESET;

import org.jetbrains.lincheck.datastructures.Operation;

/**
 * A store of two rows that others have taken. Both keys are counted in rows if there is one to be
 * had, and in overflow cells otherwise; never in both, so it makes no difference to the count.
 *
 * <p>Without refund, set and reset of the two keys, which do not reach into cells.
 */
public abstract class FullScene extends Scene {

  private static final int STAYS = 2;
  private static final int LEAVES = 3;

  FullScene(Setting setting, long stays, long leaves) {
    super(setting, 2);
    run(INC, STAYS, stays);
    run(INC, LEAVES, leaves);
    run(INC, 0, setting.owed());
    time.pass(setting.waited());
  }

  /** Another key leaves, and its row becomes free. */
  @Operation
  public void leave() {
    run(RESET, LEAVES, 1);
  }

  /** All steps of a sweep, for the cells are anywhere. */
  @Override
  @Operation
  public void sweep() {
    store.clean();
  }
}
