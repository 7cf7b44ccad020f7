package dev.stint.lab;

import com.deque.html.axecore.results.Results;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real browser without a window: Debian's Chromium, if it is installed. */
public final class Chromium implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ChromeDriver driver;

  private Chromium(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Why there is no browser here, in a sentence for skipped tests; empty if there is one.
   *
   * @throws IllegalStateException instead, where {@code STINT_BROWSER} is {@code required}
   */
  public static Optional<String> missing() {
    for (String program : List.of("chromium", "chromedriver")) {
      if (find(program).isEmpty()) {
        String sentence =
            "'"
                + program
                + "' must be on the PATH to test pages in a real browser; on Debian: apt-get install"
                + " chromium chromium-driver";
        if ("required".equals(System.getenv("STINT_BROWSER"))) {
          throw new IllegalStateException(sentence);
        }
        return Optional.of(sentence);
      }
    }
    return Optional.empty();
  }

  private static Optional<File> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      File file = new File(folder, program);
      if (file.canExecute() && !file.isDirectory()) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /**
   * Starts a browser.
   *
   * @param dark whether the user prefers dark pages
   */
  public static Chromium start(boolean dark) {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(find("chromium").orElseThrow());
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // root in a container has none
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-device-scale-factor=1");
    if (dark) {
      options.addArguments("--blink-settings=preferredColorScheme=0");
    }
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(find("chromedriver").orElseThrow())
            .usingAnyFreePort()
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().window().setSize(new Dimension(1280, 900));
    return new Chromium(driver);
  }

  /** What drives it. */
  public ChromeDriver driver() {
    return driver;
  }

  /** Opens a page. */
  public void open(String address) {
    driver.get(address);
  }

  /** The result of a piece of JavaScript. */
  public @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Waits until this is neither null nor false. */
  public <T> T await(Function<ChromeDriver, T> wanted) {
    return new WebDriverWait(driver, PATIENCE).until(any -> wanted.apply(driver));
  }

  /** What the page complained about since this was last asked: warnings and errors. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** What axe holds against the page, a line each. */
  public List<String> violations() {
    Results results = new AxeBuilder().analyze(driver);
    return results.getViolations().stream().map(Chromium::line).toList();
  }

  private static String line(Rule rule) {
    return rule.getId()
        + ": "
        + rule.getHelp()
        + " "
        + rule.getNodes().stream().map(node -> node.getHtml()).limit(5).toList();
  }

  /** Makes a picture of a window of this size. */
  public void picture(Path file, int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
