package dev.stint.spring;

/** A class that has a namesake. */
class Till {

  @RateLimited("1/min")
  public void open() {}
}
