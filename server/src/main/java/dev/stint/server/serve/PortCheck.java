package dev.stint.server.serve;

import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says in sentences which ports cannot be opened, why, and how to choose others.
 *
 * <p>Ports in use share one sentence: who starts the service twice has all of them in use, and has
 * made one mistake.
 */
final class PortCheck {

  private final Map<String, Listener> inUse = new LinkedHashMap<>();
  private final List<String> sentences = new ArrayList<>();

  private PortCheck() {}

  /** Names that are no address. Checked before the start, because looking one up takes seconds. */
  static List<String> unknownHosts(Listeners listeners) {
    PortCheck check = new PortCheck();
    listeners.byWire().forEach(check::resolve);
    return check.all();
  }

  /** Tries all ports. Empty if each can be opened now. */
  static List<String> of(Listeners listeners) {
    PortCheck check = new PortCheck();
    listeners.byWire().forEach(check::open);
    return check.all();
  }

  /**
   * Why this port could not be opened.
   *
   * @param reason as the operating system or a library gives it
   */
  static String sentence(String wire, Listener listener, String reason) {
    PortCheck check = new PortCheck();
    check.note(wire, listener, reason);
    return check.all().get(0);
  }

  private void resolve(String wire, Listener listener) {
    try {
      if (listener.isOn()) {
        InetAddress.getByName(listener.host());
      }
    } catch (UnknownHostException e) {
      sentences.add(
          String.format(
              "%s must listen on an address of this machine, and '%s' cannot be resolved; choose"
                  + " another with --%s ADDRESS:PORT",
              wire, listener.host(), wire));
    }
  }

  private void open(String wire, Listener listener) {
    if (!listener.isOn()) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      InetAddress address = InetAddress.getByName(listener.host());
      socket.bind(new InetSocketAddress(address, listener.port()));
    } catch (UnknownHostException e) {
      resolve(wire, listener);
    } catch (IOException e) {
      note(wire, listener, String.valueOf(e.getMessage()));
    }
  }

  private void note(String wire, Listener listener, String reason) {
    String where = where(listener);
    if (reason.contains("in use")) {
      inUse.put(wire, listener);
    } else if (reason.contains("ermission denied")) {
      sentences.add(
          String.format(
              "%s cannot listen on %s, which this user is not permitted to open; choose a port from"
                  + " 1024 on with --%s PORT, or give the process CAP_NET_BIND_SERVICE",
              wire, where, wire));
    } else if (reason.contains("assign requested address")) {
      sentences.add(
          String.format(
              "%s must listen on an address of this machine, and %s is not one; choose another with"
                  + " --%s ADDRESS:PORT",
              wire, listener.host(), wire));
    } else if (reason.contains("family")) {
      sentences.add(
          String.format(
              "%s cannot listen on %s, because this machine has no IPv6; choose another address with"
                  + " --%s ADDRESS:PORT, such as 127.0.0.1:%d",
              wire, where, wire, listener.port()));
    } else {
      sentences.add(
          String.format(
              "%s cannot listen on %s (%s); choose another port with --%s PORT",
              wire, where, reason, wire));
    }
  }

  private List<String> all() {
    List<String> all = new ArrayList<>(sentences);
    if (!inUse.isEmpty()) {
      all.add(0, sentenceInUse());
    }
    return all;
  }

  private String sentenceInUse() {
    boolean one = inUse.size() == 1;
    return String.format(
        "%s cannot listen on %s, which %s in use; choose %s with %s, or 0 for a free one",
        listed(List.copyOf(inUse.keySet())),
        listed(inUse.values().stream().map(PortCheck::where).toList()),
        one ? "is" : "are",
        one ? "another port" : "other ports",
        listed(inUse.keySet().stream().map(wire -> "--" + wire + " PORT").toList()));
  }

  private static String listed(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  private static String where(Listener listener) {
    String host = listener.host();
    if (host.equals("0.0.0.0") || host.equals("::")) {
      return "port " + listener.port();
    }
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + listener.port();
  }
}
