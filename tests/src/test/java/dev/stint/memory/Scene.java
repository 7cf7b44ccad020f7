package dev.stint.memory;

import static dev.stint.algorithm.Operation.GET;
import static dev.stint.algorithm.Operation.HIT;
import static dev.stint.algorithm.Operation.INC;
import static dev.stint.algorithm.Operation.PEEK;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A store in a certain state, and what threads may do to two of its keys at once. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "n", gen = IntGen.class, conf = "1:3")
public abstract class Scene {

  final SteppingTime time = new SteppingTime();
  final Setting setting;
  final MemoryStore store;

  Scene(Setting setting, long maxKeys) {
    this.setting = setting;
    store = MemoryStore.builder().time(time).maxKeys(maxKeys).cleanPeriod(Duration.ZERO).build();
  }

  final Decision run(dev.stint.algorithm.Operation operation, int key, long n) {
    return store.run(operation, setting.limit(), setting.keys().get(key), n);
  }

  final long cost(int n) {
    return n * setting.unit();
  }

  private static long answer(Decision decision) {
    return decision.allowed() ? decision.used() : ~decision.used();
  }

  @Operation
  public long hit(@Param(name = "key") int key, @Param(name = "n") int n) {
    return answer(run(HIT, key, cost(n)));
  }

  @Operation
  public String both(@Param(name = "key") int key, @Param(name = "n") int n) {
    Limit limit = setting.limit();
    Key one = setting.keys().get(key);
    Key other = setting.keys().get(1 - key);
    Decision decision = store.run(HIT, List.of(limit.on(one).cost(cost(n)), limit.on(other)));
    List<Decision> each = decision.limits();
    return (decision.allowed() ? "allowed " : "denied ")
        + each.get(0).used()
        + " "
        + each.get(1).used();
  }

  @Operation
  public long peek(@Param(name = "key") int key) {
    return answer(run(PEEK, key, 1));
  }

  @Operation
  public long inc(@Param(name = "key") int key, @Param(name = "n") int n) {
    return run(INC, key, cost(n)).used();
  }

  @Operation
  public long get(@Param(name = "key") int key) {
    return run(GET, key, 1).used();
  }

  /** So much time passes that everything expires, in the middle of calls that read the clock. */
  @Operation
  public void pass() {
    time.pass(10 * setting.window());
  }

  /** The step of a sweep that comes upon the keys. */
  @Operation
  public void sweep() {
    store.sweep(0);
  }
}
