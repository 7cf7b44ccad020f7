package dev.stint.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.Answer;
import dev.stint.http.HeaderFormat;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Request;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The headers in docs/http.md are those that are sent. */
class HttpPageTest {

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void headers_are_as_the_page_shows_them(HeaderFormat format) throws Exception {
    Rule rule = Rule.of("api", "100/minute; 5000/day");
    assertThat(textOf(lastOf(63, rule, format)))
        .isEqualTo(block("http " + format.name().toLowerCase(Locale.ROOT)));
  }

  @Test
  void a_refusal_is_as_the_page_shows_it() throws Exception {
    Answer answer = lastOf(6, Rule.of("api", "5/minute"), HeaderFormat.IETF);
    var refusal = answer.refusal().orElseThrow();
    String rest = "Content-Type: " + refusal.contentType() + "\n\n" + refusal.body() + "\n";
    assertThat(textOf(answer) + rest).isEqualTo(block("http refused"));
  }

  private static Answer lastOf(int requests, Rule rule, HeaderFormat format) {
    MemoryStore store = MemoryStore.builder().time(ManualTime.create()).build();
    HttpLimiter limiter = HttpLimiter.builder(store).rule(rule).headers(format).build();
    for (int i = 1; i < requests; i++) {
      limiter.decide(new Get());
    }
    return limiter.decide(new Get());
  }

  private static String textOf(Answer answer) {
    StringBuilder text = new StringBuilder();
    answer.headers((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  private static String block(String language) throws Exception {
    return Page.of("docs/http.md").blocks(language).get(0).text();
  }

  private static final class Get extends Request {

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public String path() {
      return "/";
    }

    @Override
    public String query() {
      return "";
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public String peer() {
      return "203.0.113.9";
    }
  }
}
