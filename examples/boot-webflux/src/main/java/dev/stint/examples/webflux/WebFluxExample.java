package dev.stint.examples.webflux;

import dev.stint.spring.RateLimited;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application with a rule in application.yml, and a limit on a method. */
@SpringBootApplication
public class WebFluxExample {

  public static void main(String[] args) {
    SpringApplication.run(WebFluxExample.class, args);
  }

  @RestController
  static class Shop {

    @GetMapping("/hello/{name}")
    Mono<String> hello(@PathVariable String name) {
      return Mono.just("hello " + name + "\n");
    }

    /** Dear: all clients together may have ten pages a minute. */
    @GetMapping("/search")
    @RateLimited(value = "10/min", by = "all", cost = "#pages", name = "search")
    Flux<String> search(@RequestParam(defaultValue = "1") int pages) {
      return Flux.range(1, pages).map(page -> "page " + page + "\n");
    }
  }
}
