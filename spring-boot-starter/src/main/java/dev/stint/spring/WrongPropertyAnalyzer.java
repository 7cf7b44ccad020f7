package dev.stint.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a failed start which property is wrong and how to mend it, in place of a stack trace. */
final class WrongPropertyAnalyzer extends AbstractFailureAnalyzer<WrongPropertyException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, WrongPropertyException wrong) {
    String description =
        "The property '"
            + wrong.property()
            + "' cannot be used"
            + (wrong.value() == null ? "" : ": its value is '" + wrong.value() + "'")
            + ".\n\nReason: "
            + wrong.reason();
    return new FailureAnalysis(description, wrong.action(), wrong);
  }
}
