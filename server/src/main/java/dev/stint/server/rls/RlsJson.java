package dev.stint.server.rls;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.rls.RateLimitResponse.Code;
import dev.stint.server.config.Bounds;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Permissions;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * Envoy's rate limit service as JSON: the same messages in protobuf's own mapping, with the code as
 * a status.
 */
public final class RlsJson {

  /**
   * An answer.
   *
   * @param status 200 if the request may pass, 429 if not, 400 if it cannot be understood, 403 if
   *     its sender may not do this
   */
  public record Reply(int status, String contentType, String body) {}

  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";
  private static final int LONGEST = 300;
  private static final Pattern INTERNAL =
      Pattern.compile("(?i)gson|proto|java|exception|JsonRe|JsonEl|JsonOb|JsonAr|JsonPr");
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private final RlsDecider decider;

  /** The service of this engine, within these bounds; the body's is the caller's to keep. */
  public RlsJson(Engine engine, Bounds bounds) {
    this.decider = new RlsDecider(engine, bounds);
  }

  /**
   * Answers a request. In memory the answer is there when this returns; otherwise it may come from
   * a foreign thread.
   */
  public CompletionStage<Reply> answer(byte[] body, Permissions permissions) {
    try {
      return decider.decide(read(body), permissions).thenApply(RlsJson::told);
    } catch (BadRequest e) {
      return CompletableFuture.completedFuture(refused(400, "Bad Request", e.sentence()));
    } catch (NotPermitted e) {
      return CompletableFuture.completedFuture(refused(403, "Forbidden", e.sentence()));
    }
  }

  private static RateLimitRequest read(byte[] body) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
    try {
      PARSER.merge(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString(), request);
    } catch (CharacterCodingException e) {
      throw new BadRequest("the body must be UTF-8");
    } catch (InvalidProtocolBufferException e) {
      throw new BadRequest(
          "the body must be an envoy.service.ratelimit.v3.RateLimitRequest as JSON: "
              + reason(String.valueOf(e.getMessage())));
    }
    checkText(request);
    return request.build();
  }

  /** Which field is wrong helps; what the parser says of itself does not. It may be long. */
  private static String reason(String message) {
    if (INTERNAL.matcher(message).find()) {
      return "it is not valid JSON, or not of this message";
    }
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
  }

  /** Half a character has no bytes, so what has one in it would share its count with others. */
  private static void checkText(RateLimitRequest.Builder request) {
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
        if (!isText(entry.getKey()) || !isText(entry.getValue())) {
          throw new BadRequest("keys and values must not contain halves of surrogate pairs");
        }
      }
    }
  }

  private static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }

  private static Reply told(RateLimitResponse response) {
    try {
      int status = response.getOverallCode() == Code.OVER_LIMIT ? 429 : 200;
      return new Reply(status, JSON, PRINTER.print(response));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("only messages with an Any cannot be printed", e);
    }
  }

  private static Reply refused(int status, String title, String sentence) {
    String detail = new String(JsonStringEncoder.getInstance().quoteAsString(sentence));
    return new Reply(
        status,
        PROBLEM,
        "{\"type\":\"about:blank\",\"title\":\""
            + title
            + "\",\"status\":"
            + status
            + ",\"detail\":\""
            + detail
            + "\"}");
  }
}
