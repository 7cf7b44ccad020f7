package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a run against Redis has measured. */
record RedisResults(
    Environment environment,
    List<RedisFigure> figures,
    List<RedisBytes> bytes,
    List<RedisLogs> logs,
    List<RedisBenchmarkTool> tool) {

  RedisResults(Environment environment) {
    this(environment, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  Optional<RedisFigure> figure(RedisScenario scenario) {
    return figures.stream().filter(one -> one.scenario().equals(scenario)).findFirst();
  }

  Optional<RedisBytes> bytes(String row) {
    return bytes.stream().filter(one -> one.row().equals(row)).findFirst();
  }

  Optional<RedisLogs> log(int amount) {
    return logs.stream().filter(one -> one.amount() == amount).findFirst();
  }
}
