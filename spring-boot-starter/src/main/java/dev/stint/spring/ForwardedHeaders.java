package dev.stint.spring;

import dev.stint.http.AddressSet;
import dev.stint.http.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Which part of the server reads {@code X-Forwarded-For} before a rule does, and so decides what
 * the remote address of a request is.
 *
 * <p>It is found by the settings and beans from which Boot sets up the server, before the server
 * opens its port.
 */
enum ForwardedHeaders {

  /** None: a request shows the address of its connection. */
  UNREAD("", false),

  /** Tomcat's {@code RemoteIpValve}, from the right and only as far as its own proxies wrote. */
  TOMCAT("Tomcat", false),

  /** The valve, with proxies that may be any address. */
  TOMCAT_TRUSTING_ALL("Tomcat", false),

  /** Reactor Netty, from the left; it still knows the address of the connection. */
  NETTY("Netty", true),

  /** Spring's filter or transformer, from the left; the server's own request is behind it. */
  FRAMEWORK("Spring", true),

  /** Jetty or Undertow, from the left; the address of the connection cannot be had. */
  OTHER_SERVER("the server", false);

  static final String STRATEGY = "server.forward-headers-strategy";

  private static final String FACTORY = "org.springframework.boot.web.server.WebServerFactory";
  private static final String TRANSFORMER =
      "org.springframework.web.server.adapter.ForwardedHeaderTransformer";
  private static final String FILTER = "org.springframework.web.filter.ForwardedHeaderFilter";
  private static final String REGISTRATION =
      "org.springframework.boot.web.servlet.FilterRegistrationBean";
  private static final String REMOTE_IP = "server.tomcat.remoteip.";

  private static final List<String> SERVERS = List.of("Tomcat", "Jetty", "Undertow", "Netty");

  /** Addresses that no network of one's own has. */
  private static final List<String> STRANGERS = List.of("203.0.113.7", "8.8.8.8", "2001:db8::7");

  private final String reader;
  private final boolean connectionKnown;

  ForwardedHeaders(String reader, boolean connectionKnown) {
    this.reader = reader;
    this.connectionKnown = connectionKnown;
  }

  /** What this application's server does. */
  static ForwardedHeaders of(Environment environment, ListableBeanFactory beans) {
    String strategy = text(environment, STRATEGY).toLowerCase(Locale.ROOT);
    String server = server(beans);
    boolean isNative = strategy.isEmpty() ? byPlatform(environment) : strategy.equals("native");
    ForwardedHeaders byServer = byServer(environment, server, isNative);
    // What Spring reads can be looked behind, but not further than to what the server shows.
    if (byServer == OTHER_SERVER || byServer == TOMCAT_TRUSTING_ALL) {
      return byServer;
    }
    if (strategy.equals("framework") || isReadBySpring(beans)) {
      return server.contains("UndertowReactive") ? OTHER_SERVER : FRAMEWORK;
    }
    return byServer;
  }

  private static ForwardedHeaders byServer(
      Environment environment, String server, boolean isNative) {
    if (server.contains("Tomcat")) {
      return tomcat(environment, isNative);
    }
    if (!isNative || server.isEmpty()) {
      return UNREAD;
    }
    return server.contains("Netty") ? NETTY : OTHER_SERVER;
  }

  /** As Boot decides where nothing is set. */
  private static boolean byPlatform(Environment environment) {
    CloudPlatform platform = CloudPlatform.getActive(environment);
    return platform != null && platform.isUsingForwardHeaders();
  }

  private static ForwardedHeaders tomcat(Environment environment, boolean isNative) {
    if (!isNative
        && text(environment, REMOTE_IP + "remote-ip-header").isEmpty()
        && text(environment, REMOTE_IP + "protocol-header").isEmpty()) {
      return UNREAD;
    }
    return containsStrangers(text(environment, REMOTE_IP + "internal-proxies"))
            || containsStrangers(text(environment, REMOTE_IP + "trusted-proxies"))
        ? TOMCAT_TRUSTING_ALL
        : TOMCAT;
  }

  /** Boot 3.5 has a regular expression there, Boot 4.1 prefixes too. */
  private static boolean containsStrangers(String proxies) {
    if (proxies.isEmpty()) {
      return false;
    }
    try {
      AddressSet set = AddressSet.of(Arrays.asList(proxies.split("\\s*,\\s*", -1)));
      return STRANGERS.stream().map(ForwardedHeaders::address).anyMatch(set::contains);
    } catch (IllegalArgumentException notPrefixes) {
      try {
        return STRANGERS.stream().anyMatch(Pattern.compile(proxies).asMatchPredicate());
      } catch (PatternSyntaxException neither) {
        return false; // Tomcat will refuse it
      }
    }
  }

  private static IpAddress address(String literal) {
    try {
      return IpAddress.of(InetAddress.getByName(literal)); // nothing is looked up
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What makes the server, by its name; empty if nothing does, as in a WAR. */
  private static String server(ListableBeanFactory beans) {
    if (!isPresent(FACTORY)) {
      return "";
    }
    for (String name : beans.getBeanNamesForType(type(FACTORY), true, false)) {
      Class<?> type = beans.getType(name);
      if (type != null) {
        return server(type);
      }
    }
    return "";
  }

  /**
   * The simple name of the most general superclass that names a server: an application may use a
   * subclass, which can have any name, or none.
   */
  private static String server(Class<?> factory) {
    String found = "other";
    for (Class<?> type = factory; type != null; type = type.getSuperclass()) {
      String name = type.getSimpleName();
      if (SERVERS.stream().anyMatch(name::contains)) {
        found = name;
      }
    }
    return found;
  }

  /** Whether the application itself has put Spring's transformer or filter there. */
  private static boolean isReadBySpring(ListableBeanFactory beans) {
    return (isPresent(TRANSFORMER) && hasBean(beans, ResolvableType.forClass(type(TRANSFORMER))))
        || (isPresent(FILTER) && hasBean(beans, ResolvableType.forClass(type(FILTER))))
        || (isPresent(FILTER)
            && isPresent(REGISTRATION)
            && hasBean(
                beans, ResolvableType.forClassWithGenerics(type(REGISTRATION), type(FILTER))));
  }

  private static boolean hasBean(ListableBeanFactory beans, ResolvableType type) {
    return beans.getBeanNamesForType(type, true, false).length > 0;
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, ForwardedHeaders.class.getClassLoader());
  }

  private static Class<?> type(String name) {
    return ClassUtils.resolveClassName(name, ForwardedHeaders.class.getClassLoader());
  }

  private static String text(Environment environment, String property) {
    return Binder.get(environment).bind(property, String.class).orElse("").strip();
  }

  /**
   * Whether rules must ask for the address of the connection, past what the server shows: where the
   * server believes the client, and Stint's own trusted proxies say whom to believe.
   */
  boolean asksConnection(StintProperties properties) {
    return connectionKnown && !properties.trustedProxies().isEmpty();
  }

  /**
   * Refuses a configuration under which a client could choose the address it is counted by.
   *
   * @param needsAddress whether anything depends on the address
   * @throws WrongPropertyException if it could
   */
  void check(boolean needsAddress, StintProperties properties, Environment environment) {
    if (needsAddress && !asksConnection(properties) && isChosenByClients()) {
      throw refusal(environment);
    }
  }

  private boolean isChosenByClients() {
    return this != UNREAD && this != TOMCAT;
  }

  private WrongPropertyException refusal(Environment environment) {
    if (this == TOMCAT_TRUSTING_ALL) {
      return new WrongPropertyException(
          REMOTE_IP + "internal-proxies",
          null,
          "STINT-HTTP-2: any client could choose the address it is counted by, because Tomcat"
              + " trusts every address to be a proxy, here or in "
              + REMOTE_IP
              + "trusted-proxies",
          "Name the addresses of your proxies there, or remove both properties.",
          null);
    }
    String strategy = text(environment, STRATEGY);
    return new WrongPropertyException(
        STRATEGY,
        strategy.isEmpty() ? null : strategy,
        "STINT-HTTP-2: any client could choose the address it is counted by, because "
            + reader
            + " takes it from the first entry of X-Forwarded-For, which the client writes"
            + (strategy.isEmpty() ? byItself(environment) : ""),
        connectionKnown
            ? "Set stint.trusted-proxies to the addresses of your proxies, such as 10.0.0.0/8; "
                + STRATEGY
                + " can then stay as it is. If there is no proxy, set it to none."
            : "Set "
                + STRATEGY
                + " to none and stint.trusted-proxies to the addresses of your proxies, such as"
                + " 10.0.0.0/8.",
        null);
  }

  private static String byItself(Environment environment) {
    CloudPlatform platform = CloudPlatform.getActive(environment);
    return platform == null ? "" : "; Boot sets it to native by itself on " + platform;
  }
}
