package dev.stint.server.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;

/**
 * Reads JSON that clients have sent: as UTF-8 and nothing else, and with errors in our own words,
 * since those of the parser name its types and settings.
 */
public final class JsonBody {

  private static final int LOOKED_AT = 4;

  private JsonBody() {}

  /**
   * A parser of a body.
   *
   * @throws IOException if the body is not UTF-8; {@link #problem} tells it
   */
  public static JsonParser parser(JsonFactory factory, byte[] body) throws IOException {
    if (hasOtherEncoding(body)) {
      throw new JsonParseException(null, "not UTF-8", JsonLocation.NA);
    }
    return factory.createParser(body);
  }

  /**
   * The parser guesses UTF-16 and UTF-32 by the first bytes: by zeros, which JSON in UTF-8 never
   * has, and by byte order marks of bytes that UTF-8 never has. Without them it reads UTF-8.
   */
  private static boolean hasOtherEncoding(byte[] body) {
    for (int i = 0; i < Math.min(LOOKED_AT, body.length); i++) {
      if (body[i] == 0 || body[i] == (byte) 0xfe || body[i] == (byte) 0xff) {
        return true;
      }
    }
    return false;
  }

  /** What is wrong with a body that could not be read, as a sentence without its end. */
  public static String problem(IOException failure) {
    if (failure instanceof JsonEOFException eof) {
      return place(eof.getLocation()) + "the body must be JSON, but ends too early";
    }
    if (failure instanceof StreamConstraintsException) {
      return "the body must be JSON, but is nested too deeply or has a number that is too long";
    }
    JsonLocation where =
        failure instanceof JsonProcessingException known ? known.getLocation() : null;
    return where == null || where.equals(JsonLocation.NA)
        ? "the body must be JSON in UTF-8, but is not"
        : place(where) + "the body must be JSON in UTF-8, but is not at this place";
  }

  /** Where something is, as the beginning of a sentence. */
  public static String place(JsonLocation where) {
    return "line " + where.getLineNr() + ", column " + where.getColumnNr() + ": ";
  }
}
