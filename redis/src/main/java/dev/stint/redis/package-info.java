/**
 * The store that counts in Redis, shared by all who connect to it. Start with {@link
 * dev.stint.redis.RedisStore}; the way of one call is Courier, Bundle, main.lua.
 */
@NullMarked
package dev.stint.redis;

import org.jspecify.annotations.NullMarked;
