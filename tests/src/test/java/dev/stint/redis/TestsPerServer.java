package dev.stint.redis;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says at the end how many tests ran on which kind of server, and how many were skipped. */
public final class TestsPerServer implements TestExecutionListener {

  private static final Map<String, String> SERVERS =
      Map.of("redis", "one Redis", "sentinel", "a Sentinel set", "cluster", "a Redis Cluster");

  private final Map<String, Long> ran = new TreeMap<>();
  private final Map<String, Long> skipped = new TreeMap<>();
  private TestPlan plan;

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      count(ran, test);
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    count(skipped, test);
  }

  private void count(Map<String, Long> counts, TestIdentifier test) {
    Optional<TestIdentifier> next = Optional.of(test);
    while (next.isPresent()) {
      for (TestTag tag : next.get().getTags()) {
        if (SERVERS.containsKey(tag.getName())) {
          counts.merge(tag.getName(), 1L, Long::sum);
          return;
        }
      }
      next = plan.getParent(next.get());
    }
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan testPlan) {
    ran.forEach(
        (tag, number) ->
            System.out.printf(
                "Ran %,d tests on %s %s; skipped %d%n",
                number,
                SERVERS.get(tag),
                Servers.redis().version(),
                skipped.getOrDefault(tag, 0L)));
  }
}
