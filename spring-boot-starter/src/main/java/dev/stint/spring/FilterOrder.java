package dev.stint.spring;

/**
 * Where the filters stand: Boot puts the security chain at −100, with servlets and WebFlux alike.
 */
final class FilterOrder {

  static final int BEFORE_AUTHENTICATION = -200;
  static final int AFTER_AUTHENTICATION = -50;

  private FilterOrder() {}
}
