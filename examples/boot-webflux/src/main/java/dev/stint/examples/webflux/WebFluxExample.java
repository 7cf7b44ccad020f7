package dev.stint.examples.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application without a line about limits: they are all in application.yml. */
@SpringBootApplication
public class WebFluxExample {

  public static void main(String[] args) {
    SpringApplication.run(WebFluxExample.class, args);
  }

  @RestController
  static class Shop {

    @GetMapping("/hello/{name}")
    Mono<String> hello(@PathVariable("name") String name) {
      return Mono.just("hello " + name + "\n");
    }

    @GetMapping("/search")
    Flux<String> search(@RequestParam(name = "pages", defaultValue = "1") int pages) {
      return Flux.range(1, pages).map(page -> "page " + page + "\n");
    }
  }
}
