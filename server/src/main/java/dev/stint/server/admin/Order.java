package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stint.Spelling;
import dev.stint.server.text.JsonBody;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants done to a key, as it was sent: checked as far as it can be without knowing
 * the policies.
 *
 * @param seconds how long; zero for what has no length
 */
record Order(String action, @Nullable String policy, @Nullable String key, long seconds) {

  static final String RESET = "reset";
  static final String GRANT = "grant";
  static final String BLOCK = "block";
  static final String LIFT = "lift";

  private static final List<String> ACTIONS = List.of(RESET, GRANT, BLOCK, LIFT);
  private static final List<String> FIELDS = List.of("action", "policy", "key", "seconds");
  private static final long LONGEST = Duration.ofDays(30).toSeconds();

  /**
   * Reads an order.
   *
   * @throws BadAsk if it is none
   */
  static Order read(byte[] body) {
    String action = null;
    String policy = null;
    String key = null;
    Long seconds = null;
    try (JsonParser json = JsonBody.parser(Json.FACTORY, body)) {
      json.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION); // which of two was meant?
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw notAnOrder();
      }
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "action" -> action = text(json, field);
          case "policy" -> policy = text(json, field);
          case "key" -> key = text(json, field);
          case "seconds" -> seconds = seconds(json);
          default ->
              throw new BadAsk(
                  400,
                  "unknown field"
                      + Spelling.hint(field, FIELDS, "; fields are " + String.join(", ", FIELDS)));
        }
      }
      if (json.nextToken() != null) {
        throw notAnOrder();
      }
    } catch (IOException e) { // no JSON, or bytes that are no text at all
      throw notAnOrder();
    }
    return checked(action, policy, key, seconds);
  }

  private static Order checked(
      @Nullable String action,
      @Nullable String policy,
      @Nullable String key,
      @Nullable Long seconds) {
    if (action == null || !ACTIONS.contains(action)) {
      throw new BadAsk(
          400,
          "action must be one of "
              + String.join(", ", ACTIONS)
              + (action == null
                  ? ", was missing"
                  : ", was another" + Spelling.hint(action, ACTIONS, "")));
    }
    boolean lasts = action.equals(GRANT) || action.equals(BLOCK);
    if (lasts != (seconds != null)) {
      throw new BadAsk(
          400,
          lasts
              ? "seconds must be given with " + action + ": 1 to " + LONGEST
              : "seconds must not be given with " + action);
    }
    return new Order(action, policy, key, seconds == null ? 0 : seconds);
  }

  private static BadAsk notAnOrder() {
    return new BadAsk(
        400,
        "the body must be JSON such as"
            + " {\"action\":\"block\",\"policy\":\"login\",\"key\":\"alice\",\"seconds\":600}");
  }

  private static String text(JsonParser json, String field) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw new BadAsk(400, field + " must be a text");
    }
    return json.getText();
  }

  private static long seconds(JsonParser json) throws IOException {
    boolean isWhole = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    boolean isLong = isWhole && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    long seconds = isLong ? json.getLongValue() : 0;
    if (seconds < 1 || seconds > LONGEST) {
      throw new BadAsk(
          400, "seconds must be a whole number from 1 to " + LONGEST + ", which is 30 days");
    }
    return seconds;
  }
}
