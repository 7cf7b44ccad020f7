package dev.stint.http;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The standard refusals, as problem documents of RFC 9457. */
final class Problem {

  private static final String TYPE = "application/problem+json";
  private static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private Problem() {}

  static Refusal quotaExceeded(List<String> violated, OptionalLong retryAfter) {
    String names = violated.stream().map(Problem::quoted).collect(Collectors.joining(","));
    String detail =
        (violated.size() == 1 ? "The policy " : "The policies ")
            + String.join(", ", violated)
            + (violated.size() == 1 ? " has" : " have")
            + " no room for this request"
            + (retryAfter.isPresent()
                ? "; try again in " + retryAfter.getAsLong() + " s."
                : ", and never will: it costs more than is allowed at once.");
    String body =
        document(
            QUOTA_EXCEEDED,
            "Quota Exceeded",
            429,
            detail,
            ",\"violated-policies\":[" + names + "]");
    return new Refusal(Refusal.Reason.LIMIT, detail, 429, TYPE, body, retryAfter);
  }

  static Refusal storeUnavailable(OptionalLong retryAfter) {
    String detail =
        "Requests cannot be counted at the moment"
            + (retryAfter.isPresent() ? "; try again in " + retryAfter.getAsLong() + " s." : ".");
    String body = document("about:blank", "Service Unavailable", 503, detail, "");
    return new Refusal(Refusal.Reason.STORE_UNAVAILABLE, detail, 503, TYPE, body, retryAfter);
  }

  /** The refusal of these parts, one of which refuses. */
  static Refusal of(List<Part> parts, OptionalLong retryAfter) {
    List<String> violated = new ArrayList<>(1);
    for (Part part : parts) {
      if (part.refuses() && !part.isUncounted()) {
        violated.add(part.policy().name());
      }
    }
    return violated.isEmpty() ? storeUnavailable(retryAfter) : quotaExceeded(violated, retryAfter);
  }

  static Refusal blocked() {
    String detail = "This client is blocked.";
    String body = document("about:blank", "Forbidden", 403, detail, "");
    return new Refusal(Refusal.Reason.BLOCKED, detail, 403, TYPE, body, OptionalLong.empty());
  }

  static Refusal missingKey(String rule) {
    String detail = "This request lacks what the policy " + rule + " counts by.";
    String body = document("about:blank", "Forbidden", 403, detail, "");
    return new Refusal(Refusal.Reason.MISSING_KEY, detail, 403, TYPE, body, OptionalLong.empty());
  }

  static Refusal limitUnknown(String rule) {
    String detail = "The limits of the policy " + rule + " cannot be found at the moment.";
    String body = document("about:blank", "Service Unavailable", 503, detail, "");
    return new Refusal(Refusal.Reason.LIMIT_UNKNOWN, detail, 503, TYPE, body, OptionalLong.of(1));
  }

  static boolean isDocument(String contentType) {
    return contentType.equals(TYPE);
  }

  static String withStatus(String document, int status) {
    return document.replaceFirst("\"status\":[0-9]+", "\"status\":" + status);
  }

  private static String document(
      String type, String title, int status, String detail, String more) {
    return "{\"type\":"
        + quoted(type)
        + ",\"title\":"
        + quoted(title)
        + ",\"status\":"
        + status
        + ",\"detail\":"
        + quoted(detail)
        + more
        + "}";
  }

  /** Names and sentences of ours: printable ASCII, so that only these two need an escape. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
