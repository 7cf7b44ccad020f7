package dev.stint.algorithm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The algorithms in Lua, for a store that sends them to where the numbers are.
 *
 * <p>Each lies beside its Java, has the same names and makes the same statements in the same order;
 * the essays are in the Java. What a server must compile and set up for each call is the price of a
 * call there, so a chunk holds only the algorithms that are needed.
 */
public enum Script {
  FIXED_WINDOW(1, "FixedWindow", "fixed_window"),
  SLIDING_LOG(2, "SlidingLog", "log sliding_log"),
  SLIDING_COUNTER(3, "SlidingCounter", "exact sliding_counter"),
  BUCKET(4, "Bucket", "exact bucket"),
  QUOTA(5, "Quota", "quota");

  private final int number;
  private final String name;
  private final String files;

  Script(int number, String name, String files) {
    this.number = number;
    this.name = name;
    this.files = files;
  }

  /** The number that stands for this algorithm in a chunk's table {@code ALGORITHMS}. */
  public int number() {
    return number;
  }

  /**
   * A chunk that defines {@code run(operation, parts, size, now)} over these algorithms, and the
   * table {@code ALGORITHMS} that makes one of its numbers.
   */
  public static String of(Set<Script> scripts) {
    String table =
        scripts.stream()
            .map(script -> "[" + script.number() + "] = " + script.name)
            .collect(Collectors.joining(", ", "local ALGORITHMS = { ", " }\n"));
    Stream<String> files =
        scripts.stream().flatMap(script -> Stream.of(script.files.split(" "))).distinct();
    return Stream.of(Stream.of("state"), files, Stream.of("evaluation"))
        .flatMap(file -> file)
        .map(Script::source)
        .collect(Collectors.joining("\n", "", "\n" + table));
  }

  private static String source(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
      if (in == null) {
        throw new IllegalStateException(file + ".lua must lie beside the classes of Stint");
      }
      return withoutComments(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lua without its comments and indents: a server keeps every script it has ever seen. */
  public static String withoutComments(String lua) {
    return Arrays.stream(lua.split("\n"))
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }
}
