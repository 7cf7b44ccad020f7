package dev.stint.studio.simulate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The command {@code stint simulate}, run once. */
record Command(int code, String out, String err) {

  private static final JsonFactory JSON = new JsonFactory();

  static Command run(String... args) {
    return run(Interruption.none(), args);
  }

  static Command run(Interruption interruption, String... args) {
    return run(Terminal.plain(), interruption, args);
  }

  static Command run(Terminal terminal, Interruption interruption, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Simulate(terminal, interruption))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setParameterExceptionHandler(
                (mistake, given) -> {
                  mistake.getCommandLine().getErr().println(mistake.getMessage());
                  return mistake.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
                })
            .execute(args);
    return new Command(code, out.toString(), err.toString());
  }

  /** Its decisions, of which every line is one. */
  List<Map<String, Object>> decisions() {
    return out.lines().map(Command::fields).toList();
  }

  private static Map<String, Object> fields(String line) {
    Map<String, Object> fields = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken token = json.nextToken();
        fields.put(
            name,
            token.isNumeric()
                ? (Object) json.getLongValue()
                : token.isBoolean()
                    ? (Object) json.getBooleanValue()
                    : token == JsonToken.VALUE_NULL ? null : json.getText());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
    return fields;
  }

  /** The numbers of each algorithm in the table: admitted, refused, keys refused, and so on. */
  List<String> numbers() {
    List<String> rows = new ArrayList<>();
    List<String> lines = out.lines().toList();
    int row = 1;
    while (!lines.get(row - 1).startsWith("algorithm")) {
      row++;
    }
    for (; !lines.get(row).isEmpty() && !lines.get(row).startsWith("worst"); row++) {
      rows.add(lines.get(row).replaceAll(" +", " "));
    }
    return rows;
  }
}
