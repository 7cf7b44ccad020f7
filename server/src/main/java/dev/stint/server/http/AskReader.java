package dev.stint.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stint.Spelling;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import dev.stint.server.text.JsonBody;
import java.io.IOException;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests out of JSON, strictly: a word too much may be a limit too little. */
final class AskReader {

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private static final String CHECKS = "checks";
  private static final int LONGEST_LIMITS = 512;

  /** Every limit of every check is part of the answer; few policies have more than this. */
  private static final int LIMITS_PER_CHECK = 4;

  private static final int SHOWN = 40;

  private final Keys keys;
  private final int mostChecks;

  AskReader(Keys keys, int mostChecks) {
    this.keys = keys;
    this.mostChecks = mostChecks;
  }

  /** Reads one request. */
  Ask one(byte[] body, Operation operation, Shape shape, Policies policies) {
    try (JsonParser json = JsonBody.parser(JSON, body)) {
      begin(json, "{\"key\":\"alice\"}");
      Ask ask = new Members(json, shape).read(operation, policies);
      end(json);
      if (ask.problem() != null) {
        throw Refused.bad(ask.problem());
      }
      return ask;
    } catch (IOException e) {
      throw Refused.bad(JsonBody.problem(e) + "; fix it, nothing was done");
    }
  }

  /** Reads a batch, a few checks at a time. Each that is wrong says so itself. */
  Batch batch(byte[] body, Policies policies) {
    try {
      return new Batch(JsonBody.parser(JSON, body), policies);
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  private static Refused malformed(IOException e) {
    return Refused.bad(JsonBody.problem(e) + "; fix it, nothing was done");
  }

  /** A batch of which some checks may not be read yet. */
  final class Batch {

    private final JsonParser json;
    private final Policies policies;
    private final Members members;
    private final List<Ask> asks = new ArrayList<>();
    private boolean hasBegun;
    private boolean hasChecks;
    private boolean isInList;
    private long limits;

    private Batch(JsonParser json, Policies policies) {
      this.json = json;
      this.policies = policies;
      this.members = new Members(json, Shape.CHECK);
    }

    /** What was read so far. */
    List<Ask> asks() {
      return asks;
    }

    /**
     * Reads up to {@code most} checks.
     *
     * @return whether the body was read to its end
     * @throws Refused if the body is no batch
     */
    boolean read(int most) {
      try {
        if (!hasBegun) {
          hasBegun = true;
          begin(json, "{\"checks\":[{\"key\":\"alice\"}]}");
        }
        for (int i = 0; i < most; i++) {
          if (isInList) {
            isInList = readCheck();
          } else if (!readField()) {
            end(json);
            json.close();
            if (!hasChecks) {
              throw Refused.bad("checks must be a list, was missing; send {\"checks\":[...]}");
            }
            return true;
          }
        }
        return false;
      } catch (IOException e) {
        throw malformed(e);
      }
    }

    private boolean readField() throws IOException {
      if (json.nextToken() != JsonToken.FIELD_NAME) {
        return false;
      }
      String name = json.currentName();
      if (!name.equals(CHECKS)) {
        throw Refused.bad(at(json) + unknown(name, List.of(CHECKS)));
      }
      if (hasChecks) {
        throw Refused.bad(at(json) + twice(CHECKS));
      }
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw Refused.bad(at(json) + mustBe(CHECKS, "a list", json));
      }
      hasChecks = true;
      isInList = true;
      return true;
    }

    private boolean readCheck() throws IOException {
      if (json.nextToken() == JsonToken.END_ARRAY) {
        return false;
      }
      if (asks.size() == mostChecks) {
        throw Refused.bad(
            "checks must be at most "
                + mostChecks
                + ", were more; nothing was charged; send several batches");
      }
      if (json.currentToken() == JsonToken.START_OBJECT) {
        Ask ask = members.read(Operation.HIT, policies);
        limits += ask.limits();
        asks.add(ask);
      } else {
        asks.add(Ask.wrong(at(json) + mustBe("a check", "an object", json)));
        json.skipChildren();
      }
      if (limits > LIMITS_PER_CHECK * (long) mostChecks) {
        throw Refused.bad(
            "the checks of a batch must be under at most "
                + LIMITS_PER_CHECK * (long) mostChecks
                + " limits together, were under more; nothing was charged; send several batches");
      }
      return true;
    }
  }

  private static void begin(JsonParser json, String example) throws IOException {
    JsonToken token = json.nextToken();
    if (token != JsonToken.START_OBJECT) {
      throw Refused.bad(
          token == null
              ? "the body must be a JSON object, was empty; send one such as " + example
              : at(json) + mustBe("the body", "an object such as " + example, json));
    }
  }

  private static void end(JsonParser json) throws IOException {
    if (json.nextToken() != null) {
      throw Refused.bad(
          at(json) + "the body must end with its object, but more follows; remove it");
    }
  }

  private static String at(JsonParser json) {
    return JsonBody.place(json.currentTokenLocation());
  }

  private static String unknown(String field, List<String> known) {
    return "unknown field '"
        + clipped(field)
        + "'"
        + Spelling.hint(field, known, "; fields are " + String.join(", ", known));
  }

  private static String twice(String field) {
    return field + " must be given once, was given twice; remove one";
  }

  private static String mustBe(String what, String kind, JsonParser json) {
    return what + " must be " + kind + ", was " + kindOf(json.currentToken());
  }

  private static String kindOf(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "a list";
      case VALUE_STRING -> "a text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      default -> "null";
    };
  }

  private static String clipped(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /**
   * The members of one object, or of one object after another. It reads on after a mistake and
   * remembers the first, because the rest of a batch must be read all the same.
   */
  private final class Members {

    private final JsonParser json;
    private final Shape shape;
    private @Nullable String problem;
    private @Nullable String op;
    private @Nullable String policy;
    private @Nullable String limits;
    private @Nullable String key;
    private long units = -1;
    private String policyBefore = "";

    Members(JsonParser json, Shape shape) {
      this.json = json;
      this.shape = shape;
    }

    Ask read(Operation operation, Policies policies) throws IOException {
      clear();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        member(json.currentName());
      }
      if (problem != null) {
        return Ask.wrong(problem);
      }
      try {
        if (key == null) {
          throw keys.missing(Shape.KEY, "was missing");
        }
        if (units < 0 && shape.needsUnits()) {
          throw Refused.bad(numberOf("missing"));
        }
        byte[] bytes = keys.of(key, Shape.KEY);
        long n = units < 0 ? 1 : units;
        return Ask.of(operation(operation), policyIn(policies), bytes, n);
      } catch (Refused e) {
        return Ask.wrong(e.problem().detail());
      }
    }

    private void clear() {
      problem = null;
      op = null;
      policy = null;
      limits = null;
      key = null;
      units = -1;
    }

    private void member(String name) throws IOException {
      if (!shape.fields().contains(name)) {
        wrong(unknown(name, shape.fields()));
        json.nextToken();
        json.skipChildren();
        return;
      }
      boolean again;
      switch (name) {
        case Shape.KEY -> {
          again = key != null;
          key = text(name);
        }
        case Shape.POLICY -> {
          again = policy != null;
          policy = policyText(name);
        }
        case Shape.LIMITS -> {
          again = limits != null;
          limits = text(name);
        }
        case Shape.OP -> {
          again = op != null;
          op = text(name);
        }
        default -> {
          again = units >= 0;
          units = number();
        }
      }
      if (again) {
        wrong(twice(name));
      }
    }

    /** Most checks of a batch name the same policy, and need no text of their own. */
    private String policyText(String name) throws IOException {
      if (json.nextToken() != JsonToken.VALUE_STRING) {
        return notText(name);
      }
      char[] text = json.getTextCharacters();
      CharBuffer chars = CharBuffer.wrap(text, json.getTextOffset(), json.getTextLength());
      if (!policyBefore.contentEquals(chars)) {
        policyBefore = json.getText();
      }
      return policyBefore;
    }

    private String text(String name) throws IOException {
      if (json.nextToken() == JsonToken.VALUE_STRING) {
        return json.getText();
      }
      return notText(name);
    }

    private String notText(String name) throws IOException {
      wrong(mustBe(name, "a text", json) + "; put it in quotation marks");
      json.skipChildren();
      return "";
    }

    private long number() throws IOException {
      JsonToken token = json.nextToken();
      if (token == JsonToken.VALUE_NUMBER_INT
          && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        long value = json.getLongValue();
        if (value >= shape.least() && value <= Algorithm.MAX_COUNT) {
          return value;
        }
      }
      boolean isNumber = token != null && token.isNumeric();
      wrong(numberOf(isNumber ? clipped(json.getText()) : kindOf(token)));
      json.skipChildren();
      return 1;
    }

    private String numberOf(String was) {
      return shape.units()
          + " must be a whole number from "
          + shape.least()
          + " to "
          + Algorithm.MAX_COUNT
          + ", was "
          + was;
    }

    private void wrong(String what) {
      if (problem == null) {
        problem = at(json) + what;
      }
    }

    private Operation operation(Operation usual) {
      if (op == null) {
        return usual;
      }
      return switch (op) {
        case "hit" -> Operation.HIT;
        case "peek" -> Operation.PEEK;
        default ->
            throw Refused.bad(
                "op must be hit or peek, was '"
                    + clipped(op)
                    + "'"
                    + Spelling.hint(op, List.of("hit", "peek"), ""));
      };
    }

    private Policy policyIn(Policies policies) {
      if (limits == null) {
        return named(policies, policy == null ? Configuration.DEFAULT_POLICY : policy);
      }
      if (policy != null) {
        throw Refused.bad("a request must have policy or limits, had both; remove one");
      }
      if (limits.length() > LONGEST_LIMITS) {
        throw Refused.bad(
            "limits must have at most "
                + LONGEST_LIMITS
                + " characters, had "
                + limits.length()
                + "; make them a policy");
      }
      try {
        return policies.ofRequest(limits);
      } catch (IllegalArgumentException e) {
        throw Refused.bad("limits must be such as 10/minute; 100/day: " + e.getMessage());
      }
    }
  }

  /** The policy of this name. */
  static Policy named(Policies policies, String name) {
    Policy found = policies.find(name);
    if (found != null) {
      return found;
    }
    List<String> known = policies.all().stream().map(Policy::name).toList();
    String listed =
        known.isEmpty() ? "; there are none" : "; policies are " + String.join(", ", known);
    throw Refused.bad(
        "unknown policy '" + clipped(name) + "'" + Spelling.hint(name, known, listed));
  }
}
