/**
 * The store that counts in Redis, shared by all who connect to it. Start with {@link
 * dev.stint.redis.RedisStore}; a call passes CommandDispatcher, CallQueue, Batch and main.lua.
 */
@NullMarked
package dev.stint.redis;

import org.jspecify.annotations.NullMarked;
