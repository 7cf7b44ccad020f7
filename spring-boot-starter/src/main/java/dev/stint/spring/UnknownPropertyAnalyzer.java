package dev.stint.spring;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Says at a failed start which properties under {@code stint} do not exist, and which were meant.
 * Boot has an analyzer of its own for this, which knows no names.
 */
@Order(0)
final class UnknownPropertyAnalyzer
    extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

  private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("stint");

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, UnboundConfigurationPropertiesException unknown) {
    List<ConfigurationProperty> ours =
        unknown.getUnboundProperties().stream()
            .filter(property -> OURS.isAncestorOf(property.getName()))
            .toList();
    return ours.isEmpty()
        ? null
        : new FailureAnalysis(
            ours.stream()
                .map(UnknownPropertyAnalyzer::described)
                .collect(Collectors.joining(System.lineSeparator())),
            "Correct or remove it: a typo could disable a limit. Environment variables and system"
                + " properties are not checked.",
            unknown);
  }

  private static String described(ConfigurationProperty property) {
    ConfigurationPropertyName name = property.getName();
    return "There is no property '"
        + name
        + "'"
        + (property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")")
        + KnownProperties.hint(name);
  }
}
