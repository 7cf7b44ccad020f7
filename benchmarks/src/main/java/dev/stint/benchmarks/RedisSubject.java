package dev.stint.benchmarks;

import java.util.concurrent.CompletionStage;

/** A limiter in Redis under test, with one limit for all keys. */
interface RedisSubject extends AutoCloseable {

  /** Asks for one unit and waits for the answer. */
  boolean hit(String key);

  /** Asks for one unit. */
  CompletionStage<Boolean> hitAsync(String key);

  /** Makes a key known, so that the hits to come find it in its usual state. */
  CompletionStage<?> insert(String key);

  /** Makes a key known and takes all it has. */
  CompletionStage<?> exhaust(String key);

  @Override
  void close();
}
