package dev.stint.examples.mvc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application without a line about limits: they are all in application.yml. */
@SpringBootApplication
public class MvcExample {

  public static void main(String[] args) {
    SpringApplication.run(MvcExample.class, args);
  }

  @RestController
  static class Shop {

    @GetMapping("/hello")
    String hello() {
      return "hello\n";
    }

    @PostMapping("/login")
    ResponseEntity<String> login(@RequestParam("password") String password) {
      return password.equals("swordfish")
          ? ResponseEntity.ok("welcome\n")
          : ResponseEntity.status(HttpStatus.UNAUTHORIZED).body("wrong password\n");
    }
  }
}
