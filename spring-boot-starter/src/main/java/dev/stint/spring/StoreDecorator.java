package dev.stint.spring;

import dev.stint.Store;
import java.util.function.UnaryOperator;

/** A bean that puts the application's store into another, as metrics do. */
@FunctionalInterface
public interface StoreDecorator extends UnaryOperator<Store> {}
