package dev.stint.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Reads what is said under {@code stint} now: in the watched file, if there is one, and else in the
 * environment.
 */
final class PropertiesReader {

  private static final String FILE = "stint.reload.file";
  private static final String FILE_ACTION =
      "Name a YAML or properties file that this application can read, with properties under stint.";

  private final ConfigurableEnvironment environment;
  private final @Nullable Path file;

  PropertiesReader(ConfigurableEnvironment environment, @Nullable Path file) {
    this.environment = environment;
    this.file = file;
  }

  /** What is in the file; null if it cannot be read, or there is none. */
  byte @Nullable [] content() {
    try {
      return file == null ? null : Files.readAllBytes(file);
    } catch (IOException e) {
      return null;
    }
  }

  /** Reads all properties, where the file has this content. */
  StintProperties read(byte @Nullable [] content) {
    List<ConfigurationPropertySource> sources = new ArrayList<>();
    if (file != null) {
      inFile(content)
          .forEach(source -> ConfigurationPropertySources.from(source).forEach(sources::add));
    }
    ConfigurationPropertySources.from(environment.getPropertySources()).forEach(sources::add);
    Binder binder = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
    BindHandler strict =
        new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
    return binder.bindOrCreate("stint", Bindable.of(StintProperties.class), strict);
  }

  private List<PropertySource<?>> inFile(byte @Nullable [] content) {
    String name = String.valueOf(file);
    if (content == null) {
      throw new WrongPropertyException(FILE, name, "the file cannot be read", FILE_ACTION, null);
    }
    PropertySourceLoader loader =
        name.endsWith(".properties")
            ? new PropertiesPropertySourceLoader()
            : new YamlPropertySourceLoader();
    try {
      List<PropertySource<?>> documents =
          new ArrayList<>(loader.load(name, new ByteArrayResource(content, name)));
      Collections.reverse(documents); // the last one counts
      return documents;
    } catch (IOException | RuntimeException e) {
      throw new WrongPropertyException(FILE, name, String.valueOf(e.getMessage()), FILE_ACTION, e);
    }
  }
}
