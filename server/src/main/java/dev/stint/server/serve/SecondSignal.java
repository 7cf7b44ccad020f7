package dev.stint.server.serve;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Ends the process at once when it receives another signal while it stops: a second Ctrl-C.
 *
 * <p>The first signal runs Java's shutdown hooks, which Java offers no way to leave early. {@code
 * sun.misc.Signal} is the only API for signals. It is called by reflection because the compiler
 * warns of its use and that warning cannot be suppressed; it is part of every JDK, in the module
 * {@code jdk.unsupported}.
 */
final class SecondSignal {

  /** What a shell reports for a process that was ended by a signal, less the signal's number. */
  private static final int ENDED_BY_SIGNAL = 128;

  private SecondSignal() {}

  /**
   * From now on SIGTERM and SIGINT end the process. Call it after the first of them.
   *
   * @return false if signals cannot be handled here, as with {@code -Xrs}
   */
  static boolean endsTheProcess() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object end =
          Proxy.newProxyInstance(
              SecondSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                Object number = signal.getMethod("getNumber").invoke(arguments[0]);
                Runtime.getRuntime().halt(ENDED_BY_SIGNAL + (int) number);
                return null;
              });
      for (String name : List.of("TERM", "INT")) {
        Object named = signal.getConstructor(String.class).newInstance(name);
        signal.getMethod("handle", signal, handler).invoke(null, named, end);
      }
      return true;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false; // the first signal still ends it, only not earlier
    }
  }
}
