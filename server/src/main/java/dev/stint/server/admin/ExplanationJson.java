package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stint.Decision;
import dev.stint.server.engine.Explanation;
import dev.stint.server.engine.Explanation.Kind;
import dev.stint.server.engine.Explanation.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** An explanation as JSON; every field is told of in {@code docs/schemas/explain.json}. */
final class ExplanationJson {

  private ExplanationJson() {}

  static String of(Explanation explanation) {
    Decision state = explanation.state();
    return Json.of(
        page -> {
          page.writeNumberField("version", 1);
          page.writeStringField("policy", explanation.policy());
          page.writeStringField("key", explanation.key());
          page.writeNumberField("cost", explanation.cost());
          page.writeStringField("mode", AdminPages.mode(explanation.shadow()));
          rule(page, explanation.rule());
          page.writeBooleanField("allowed", explanation.allowed());
          page.writeBooleanField("degraded", state != null && state.degraded());
          wait(page, "retryAfterMicros", retryAfter(explanation));
          page.writeArrayFieldStart("limits");
          if (state != null) {
            limits(page, explanation, state);
          }
          page.writeEndArray();
          page.writeStringField("why", Why.of(explanation));
          if (explanation.tried() != null) {
            page.writeObjectFieldStart("candidate");
            page.writeStringField("name", explanation.tried().name());
            page.writeBooleanField("allowed", explanation.tried().allowed());
            page.writeEndObject();
          }
        });
  }

  private static void rule(JsonGenerator page, Rule rule) throws IOException {
    page.writeObjectFieldStart("rule");
    page.writeStringField("kind", rule.kind().name().toLowerCase(Locale.ROOT));
    if (!rule.text().isEmpty()) {
      page.writeStringField("text", rule.text());
    }
    if (rule.untilMillis() > 0) {
      page.writeNumberField("until", rule.untilMillis());
    }
    page.writeEndObject();
  }

  static Duration retryAfter(Explanation explanation) {
    Decision state = explanation.state();
    if (explanation.allowed() || state == null) {
      return Duration.ZERO;
    }
    if (explanation.rule().kind() == Kind.BLOCK && !state.neverFits()) {
      return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(explanation.rule().waitMicros()));
    }
    return state.retryAfter();
  }

  private static void limits(JsonGenerator page, Explanation explanation, Decision state)
      throws IOException {
    List<Decision> each = state.limits();
    for (int i = 0; i < explanation.limits().size(); i++) {
      Decision one = each.get(i);
      page.writeStartObject();
      page.writeStringField("limit", AdminPages.text(explanation.limits().get(i)));
      page.writeStringField("name", AdminPages.name(explanation.limits().get(i)));
      page.writeBooleanField("allowed", one.allowed());
      page.writeBooleanField("decides", decides(explanation, state, one));
      page.writeNumberField("used", one.used());
      page.writeNumberField("remaining", one.remaining());
      page.writeNumberField("capacity", one.limit().capacity());
      wait(page, "retryAfterMicros", one.retryAfter());
      wait(page, "resetAfterMicros", one.resetAfter());
      page.writeEndObject();
    }
  }

  /** Of a key that is excepted, no limit does. */
  private static boolean decides(Explanation explanation, Decision state, Decision one) {
    Kind kind = explanation.rule().kind();
    return kind != Kind.GRANT && kind != Kind.BLOCK && one.limit().equals(state.limit());
  }

  private static void wait(JsonGenerator page, String name, Duration wait) throws IOException {
    if (wait.equals(Decision.NEVER)) {
      page.writeNullField(name);
    } else {
      page.writeNumberField(name, TimeUnit.NANOSECONDS.toMicros(wait.toNanos()));
    }
  }
}
