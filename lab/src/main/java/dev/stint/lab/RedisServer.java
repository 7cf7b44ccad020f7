package dev.stint.lab;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A Redis (or Valkey) in a child process on a free loopback port, with a directory of its own that
 * is gone after {@link #close}. Nothing is written to disk unless {@link Settings#appendOnly} asks
 * for it.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final int PORT_ATTEMPTS = 5;

  private final Settings settings;
  private final ChildProcess process;

  private RedisServer(Settings settings) {
    this.settings = settings;
    this.process = new ChildProcess(RedisBinary.get().path(), settings.lines(), settings.arguments);
  }

  /**
   * Starts a server; {@code arguments} are as on its command line: {@code "--maxmemory", "1mb"}.
   */
  public static RedisServer start(String... arguments) {
    return start(settings -> settings.arguments.addAll(Arrays.asList(arguments)));
  }

  /**
   * Starts a server and returns when it answers. The settings are asked for again if the port found
   * free was taken by someone else meanwhile.
   */
  public static RedisServer start(Consumer<Settings> configure) {
    for (int attempt = 1; ; attempt++) {
      Settings settings = new Settings();
      configure.accept(settings);
      RedisServer server = new RedisServer(settings);
      try {
        server.process.start();
        server.awaitAnswer();
        return server;
      } catch (RuntimeException e) {
        boolean portLost = server.process.log().contains(" in use");
        server.close();
        if (!portLost || settings.portChosen || attempt == PORT_ATTEMPTS) throw e;
      }
    }
  }

  public int port() {
    return settings.port;
  }

  public long pid() {
    return process.pid();
  }

  public String uri() {
    String user = settings.password.isEmpty() ? "" : ":" + settings.password + "@";
    return "redis://" + user + "127.0.0.1:" + port();
  }

  /** Gives the version of the server program, such as {@code 7.0.15}. */
  public String version() {
    return RedisBinary.get().version();
  }

  /** Opens a connection, authenticated if the server has a {@link Settings#password}. */
  public Resp resp() {
    Resp resp = Resp.connect(port());
    try {
      if (!settings.password.isEmpty()) resp.text("AUTH", settings.password);
      return resp;
    } catch (RuntimeException e) {
      resp.close();
      throw e;
    }
  }

  /** Asks one question on a connection of its own. */
  public String ask(String... words) {
    try (Resp resp = resp()) {
      return resp.text(words);
    }
  }

  /**
   * Freezes the process (SIGSTOP): connections stay open and are even accepted, nothing answers.
   */
  public void stop() {
    process.stop();
  }

  /** Lets a frozen process go on (SIGCONT). */
  public void cont() {
    process.cont();
  }

  /** Kills the process (SIGKILL), frozen or not, and returns when it is gone. */
  public void kill() {
    process.kill();
  }

  /** Starts the process again on the same port and directory, after killing it if it lives. */
  public void restart() {
    process.kill();
    process.start();
    awaitAnswer();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Tells whether the process lives and is not frozen. */
  boolean isRunning() {
    return process.isAlive() && !process.isStopped();
  }

  /** Gives the end of what the server has logged. */
  public String log() {
    return process.log();
  }

  @Override
  public void close() {
    process.close();
  }

  @Override
  public String toString() {
    return "127.0.0.1:" + port();
  }

  private void awaitAnswer() {
    long start = System.nanoTime();
    while (!answers()) {
      if (!process.isAlive()) throw notStarted("the process ended");
      if (System.nanoTime() - start > START_LIMIT.toNanos()) {
        throw notStarted("no answer to PING within " + START_LIMIT);
      }
      Await.pause();
    }
  }

  /** Also asks for the process id: on a port lost to another server, that one would answer. */
  private boolean answers() {
    try (Resp resp = resp()) {
      return resp.text("PING").equals("PONG")
          && resp.text("INFO", "server").contains("process_id:" + pid() + "\r\n");
    } catch (Resp.ErrorReply e) {
      // Who is refused has been answered; only LOADING means that it is too early.
      return e.code().equals("NOAUTH") || e.code().equals("NOPERM");
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private IllegalStateException notStarted(String why) {
    return new IllegalStateException(
        (RedisBinary.get().path() + " must start on port " + port() + ": " + why)
            + ("; its log ends with:\n" + process.log()));
  }

  /** What a server is started with, beyond loopback only, no snapshots and no password. */
  public static final class Settings {
    private final List<String> lines = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private int port = Ports.free();
    private boolean portChosen;
    private String password = "";
    private boolean appendOnly;

    private Settings() {}

    /** Uses this port and no other. */
    public Settings port(int port) {
      this.port = port;
      this.portChosen = true;
      return this;
    }

    /**
     * Asks clients of the default user for a password; it must be free of white space and
     * {@code @}.
     */
    public Settings password(String password) {
      this.password = password;
      return config("requirepass", password);
    }

    /** Adds a user, written as after {@code ACL SETUSER}: {@code alice on >secret ~* +@all}. */
    public Settings acl(String user) {
      return config("user", user);
    }

    /** Writes every change to a file before it is answered, so that a restart finds it. */
    public Settings appendOnly() {
      this.appendOnly = true;
      return this;
    }

    /** Adds a line to the configuration file. */
    public Settings config(String name, String value) {
      lines.add(name + " " + value);
      return this;
    }

    private List<String> lines() {
      List<String> all =
          new ArrayList<>(
              List.of("port " + port, "bind 127.0.0.1", "daemonize no", "protected-mode no"));
      if (!isSentinel()) {
        all.add("save \"\"");
        all.add("appendonly " + (appendOnly ? "yes" : "no"));
        all.add("appendfsync always");
      }
      all.addAll(lines);
      return all;
    }

    /** Runs as a Sentinel, which knows fewer settings. */
    Settings sentinel() {
      arguments.add("--sentinel");
      return this;
    }

    private boolean isSentinel() {
      return arguments.contains("--sentinel");
    }
  }
}
