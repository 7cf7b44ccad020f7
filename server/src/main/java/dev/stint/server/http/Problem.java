package dev.stint.server.http;

import static dev.stint.server.http.JsonBytes.ascii;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * Why a request is not answered: a problem document of RFC 9457.
 *
 * @param detail what must be, what was, and how to mend it
 */
record Problem(int status, String detail) {

  private static final byte[] TITLE = ascii("{\"type\":\"about:blank\",\"title\":");
  private static final byte[] STATUS = ascii(",\"status\":");
  private static final byte[] DETAIL = ascii(",\"detail\":");

  JsonBytes write(JsonBytes out) {
    String title = HttpResponseStatus.valueOf(status).reasonPhrase();
    out.raw(TITLE).text(title).raw(STATUS).number(status);
    return out.raw(DETAIL).text(detail).raw('}');
  }
}
