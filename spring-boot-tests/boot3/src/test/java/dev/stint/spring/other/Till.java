package dev.stint.spring.other;

import dev.stint.spring.RateLimited;

/** A class that has a namesake. */
public class Till {

  @RateLimited("1/min")
  public void open() {}
}
