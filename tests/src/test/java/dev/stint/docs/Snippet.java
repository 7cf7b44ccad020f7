package dev.stint.docs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A piece of Java from a page, which leaves the usual imports to the reader. */
final class Snippet {

  private static final String IMPORTS =
      """
      import static org.assertj.core.api.Assertions.*;
      import dev.stint.*;
      import dev.stint.algorithm.*;
      import dev.stint.docs.*;
      import dev.stint.http.*;
      import dev.stint.memory.*;
      import dev.stint.redis.*;
      import dev.stint.testkit.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.concurrent.atomic.*;
      import org.junit.jupiter.api.*;
      """;

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
  private static final JavaFileManager FILES =
      new Discarding(COMPILER.getStandardFileManager(null, null, null));

  private Snippet() {}

  /** What the compiler has against it: as statements, as a class's members, as classes. */
  static List<String> errors(String text) {
    String imports =
        IMPORTS
            + text.lines()
                .filter(line -> line.startsWith("import "))
                .collect(Collectors.joining("\n"));
    String body =
        text.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    List<String> wrapped =
        List.of(
            imports + "\nclass Snippet { void run() throws Exception {\n" + body + "\n} }",
            imports + "\nabstract class Snippet {\n" + body + "\n}",
            imports
                + "\n"
                + body.replaceAll("(?m)^public (?=.*(class|interface|record|enum))", ""));
    List<List<String>> complaints = new ArrayList<>();
    for (String source : wrapped) {
      List<String> errors = compile(source);
      if (errors.isEmpty()) {
        return errors;
      }
      complaints.add(errors);
    }
    return Collections.min(complaints, Comparator.comparing(List::size));
  }

  private static List<String> compile(String source) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-Xlint:none", "-cp", System.getProperty("java.class.path"));
    COMPILER.getTask(null, FILES, diagnostics, options, null, List.of(new Text(source))).call();
    return diagnostics.getDiagnostics().stream()
        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
        .map(one -> line(source, one.getLineNumber()) + " // " + one.getMessage(null))
        .toList();
  }

  private static String line(String source, long number) {
    return source.lines().skip(Math.max(0, number - 1)).findFirst().orElse("").trim();
  }

  /** Source that lies in no file. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String text) {
      super(URI.create("string:///Snippet.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps no class: that it compiles is all that is asked. */
  private static final class Discarding extends ForwardingJavaFileManager<JavaFileManager> {

    Discarding(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + className.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() throws IOException {
          return OutputStream.nullOutputStream();
        }
      };
    }
  }
}
