package dev.stint.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files of bounded size as UTF-8, and says in a sentence why it cannot. */
final class TextFile {

  static final int LARGEST = 1 << 20;

  private TextFile() {}

  /** A file that cannot be read as text. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Place place;

    Unreadable(Place place, String sentence) {
      super(sentence);
      this.place = place;
    }

    Place place() {
      return place;
    }
  }

  static String read(Path path) throws Unreadable {
    String name = path.toString();
    return decode(name, bytes(path));
  }

  private static byte[] bytes(Path path) throws Unreadable {
    Place file = Place.ofFile(path.toString());
    if (Files.isDirectory(path)) {
      throw new Unreadable(file, "must be a file, was a directory; name a file in it");
    }
    if (!Files.exists(path)) {
      throw new Unreadable(file, "must be there, and is not; check the path");
    }
    if (!Files.isRegularFile(path)) { // a pipe might never end, or never begin
      throw new Unreadable(file, "must be an ordinary file, was a device or a pipe");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new Unreadable(
            file, "must be at most 1 MiB, was larger; split it into several files");
      }
      return bytes;
    } catch (AccessDeniedException e) {
      throw new Unreadable(file, "must be readable for the user who runs this; change its mode");
    } catch (IOException e) {
      throw new Unreadable(file, "must be readable, and was not: " + e.getMessage());
    }
  }

  private static String decode(String name, byte[] bytes) throws Unreadable {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      throw new Unreadable(
          end(name, text), "must be UTF-8, and this byte is not; save the file as UTF-8");
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text; // some editors begin with a mark
  }

  /** The place after a text. */
  static Place end(String name, String text) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        start = i + 1;
      }
    }
    return new Place(name, line, text.codePointCount(start, text.length()) + 1);
  }
}
