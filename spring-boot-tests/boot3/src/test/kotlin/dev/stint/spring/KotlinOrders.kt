package dev.stint.spring

import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking

/** A bean in Kotlin. */
open class KotlinOrders {
  private val calls = AtomicInteger()

  // Open, so that a proxy asks the bean for it.
  open fun count(): Int = calls.get()

  @RateLimited("2/min", by = "#user")
  open suspend fun order(user: String): String {
    calls.incrementAndGet()
    delay(1)
    return "ordered by $user"
  }

  @RateLimited("1/min", cost = "#p0")
  open suspend fun nothing(units: Int): String? {
    calls.incrementAndGet()
    return null
  }

  @RateLimited("1/min", fallback = "later")
  open suspend fun patient(user: String): String = "now, $user"

  open suspend fun later(user: String): String {
    delay(1)
    return "later, $user"
  }

  @RateLimited("1/min", fallback = "nameLater")
  open suspend fun name(): String = "now in ${coroutineContext[CoroutineName]?.name}"

  open suspend fun nameLater(): String {
    delay(1)
    return "later in ${coroutineContext[CoroutineName]?.name}"
  }

  @RateLimited("1/min", fallback = "plain")
  open suspend fun plainly(user: String): String = "now, $user"

  open fun plain(): String = "plain"

  @RateLimited("1/min")
  open fun numbers(): Flow<Int> {
    calls.incrementAndGet()
    return flowOf(1, 2, 3)
  }
}

/** What Java's tests cannot do themselves. */
object KotlinCalls {
  @JvmStatic fun order(orders: KotlinOrders, user: String): String = runBlocking { orders.order(user) }

  @JvmStatic fun nothing(orders: KotlinOrders, units: Int): String? = runBlocking { orders.nothing(units) }

  @JvmStatic fun patient(orders: KotlinOrders, user: String): String = runBlocking { orders.patient(user) }

  @JvmStatic fun name(orders: KotlinOrders): String = runBlocking(CoroutineName("checkout")) { orders.name() }

  @JvmStatic fun plainly(orders: KotlinOrders, user: String): String = runBlocking { orders.plainly(user) }

  @JvmStatic fun collect(numbers: Flow<Int>): List<Int> = runBlocking { numbers.toList() }
}
