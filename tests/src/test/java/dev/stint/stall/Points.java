package dev.stint.stall;

import org.jspecify.annotations.Nullable;

/** The hook that {@link InstrumentedLoader} puts before every call and allocation of the store. */
public final class Points {

  /** What happens at a point. */
  public interface Action {

    /**
     * The thread is about to make a call or an allocation.
     *
     * @param release whether it is part of giving back what the call has taken
     */
    void at(boolean release);
  }

  private static final ThreadLocal<@Nullable Action> ACTION = new ThreadLocal<>();

  private Points() {}

  /** Has {@code action} run at every point that this thread reaches while {@code call} runs. */
  public static void during(Runnable call, Action action) {
    ACTION.set(action);
    try {
      call.run();
    } finally {
      ACTION.remove();
    }
  }

  /** Called by the store's instrumented classes. */
  public static void reach(boolean release) {
    Action action = ACTION.get();
    if (action != null) {
      action.at(release);
    }
  }
}
