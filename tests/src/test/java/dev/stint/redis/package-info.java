/** The store in Redis, on real servers that are started here. {@code Servers} has them. */
package dev.stint.redis;
