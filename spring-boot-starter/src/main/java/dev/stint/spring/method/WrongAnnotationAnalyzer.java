package dev.stint.spring.method;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a failed start which annotation is wrong and how to mend it. */
final class WrongAnnotationAnalyzer extends AbstractFailureAnalyzer<WrongAnnotationException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, WrongAnnotationException wrong) {
    return new FailureAnalysis(wrong.description(), wrong.action(), wrong);
  }
}
