package dev.stint.http.servlet;

import dev.stint.http.HeaderCases;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ServletHeadersTest {

  @TestFactory
  Stream<DynamicTest> a_servlet_answers_as_all_servers_do() {
    return HeaderCases.on(
        limiter ->
            new JettyServer(
                new CountingServlet(new AtomicInteger()), new RateLimitFilter(limiter)));
  }
}
