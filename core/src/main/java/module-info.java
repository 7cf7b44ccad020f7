/** The engine of Stint: limits, their algorithms, and the store that keeps them in memory. */
module dev.stint {
  requires static transitive org.jspecify;

  exports dev.stint;
  exports dev.stint.algorithm;
  exports dev.stint.memory;
}
