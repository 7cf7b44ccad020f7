package dev.stint.spring

import kotlinx.coroutines.delay
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** A controller in Kotlin. */
@RestController
open class KotlinShop {

  @GetMapping("/suspending")
  @RateLimited("1/min")
  open suspend fun suspending(): String {
    delay(1)
    return "suspending"
  }
}
