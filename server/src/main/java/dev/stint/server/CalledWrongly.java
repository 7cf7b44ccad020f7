package dev.stint.server;

import dev.stint.Spelling;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in a sentence that says what must be. */
final class CalledWrongly {

  private static final Pattern EXAMPLE = Pattern.compile("Example: (.+)");
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);
  private static final Set<Class<?>> BROKEN = Set.of(double.class, Double.class, BigDecimal.class);

  /** How the parser begins what it says of a value; our own sentences begin otherwise. */
  private static final String OF_A_VALUE = "Invalid value for ";

  private CalledWrongly() {}

  static String sentence(ParameterException mistake) {
    String own = String.valueOf(mistake.getMessage());
    ArgSpec argument = mistake.getArgSpec();
    String value = mistake.getValue();
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched);
    } else if (mistake instanceof MissingParameterException missing) {
      return missing(missing, own);
    } else if (mistake instanceof OverwrittenOptionException again) {
      return name(again.getOverwritten()) + " must be given once, was given again";
    }
    return argument != null && value != null && own.startsWith(OF_A_VALUE)
        ? wrong(argument, value, reason(mistake, argument))
        : own;
  }

  /** What one of our converters says about a value, without what the parser puts before it. */
  private static String reason(ParameterException mistake, ArgSpec argument) {
    if (!(mistake.getCause() instanceof TypeConversionException reason)) {
      return String.valueOf(mistake.getMessage());
    }
    String text = String.valueOf(reason.getMessage());
    return text.startsWith("--") ? text : name(argument) + ": " + text;
  }

  /** The commands there are, as the end of a sentence. */
  static String commands(CommandLine command) {
    return "the commands are: " + String.join(", ", names(command));
  }

  private static List<String> names(CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String unknown(UnmatchedArgumentException mistake) {
    CommandLine command = mistake.getCommandLine();
    String word = mistake.getUnmatched().get(0);
    String quoted = "'" + word + "'";
    if (mistake.isUnknownOption()) {
      List<String> near = mistake.getSuggestions();
      return "unknown option "
          + quoted
          + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?");
    }
    return command.getSubcommands().isEmpty()
        ? "unexpected argument " + quoted
        : "unknown command "
            + quoted
            + Spelling.hint(word, names(command), "; " + commands(command));
  }

  private static String missing(MissingParameterException mistake, String own) {
    List<ArgSpec> missing = mistake.getMissing();
    if (missing.isEmpty()) {
      return own;
    }
    ArgSpec first = missing.get(0);
    // The parser tells an option without its value in the same way as one that is not there.
    if (first.isOption() && !own.startsWith("Missing required option")) {
      return name(first) + " must have a value after it: " + name(first) + " " + first.paramLabel();
    }
    return missing.stream().map(CalledWrongly::name).collect(Collectors.joining(" and "))
        + " must be given"
        + example(mistake.getCommandLine());
  }

  private static String example(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    return Stream.concat(Stream.of(usage.headerHeading()), Arrays.stream(usage.header()))
        .map(EXAMPLE::matcher)
        .filter(Matcher::find)
        .map(found -> ", such as: " + found.group(1).replaceAll("(%n)+$", ""))
        .findFirst()
        .orElse("");
  }

  private static String wrong(ArgSpec argument, String value, String reason) {
    Class<?> type = argument.auxiliaryTypes()[0];
    String must = must(type);
    if (type == boolean.class || type == Boolean.class) {
      return name(argument) + " takes no value, was given '" + value + "'";
    }
    return must == null ? reason : name(argument) + " must be " + must + ": '" + value + "'";
  }

  private static @Nullable String must(Class<?> type) {
    if (WHOLE.contains(type)) {
      return "a whole number";
    } else if (BROKEN.contains(type)) {
      return "a number";
    } else if (type == Path.class) {
      return "the path of a file";
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .map(Object::toString)
            .collect(Collectors.joining(", ", "one of ", ""))
        : null;
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
