package dev.stint.server.serve;

import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;

/** Finds out which port could not be had, after a start that failed. */
final class PortTrouble {

  private PortTrouble() {}

  /** A sentence about the first port that cannot be listened on; empty if all can. */
  static Optional<String> of(Listeners listeners) {
    for (Map.Entry<String, Listener> entry : listeners.byWire().entrySet()) {
      if (entry.getValue().isOn()) {
        Optional<String> trouble = of(entry.getKey(), entry.getValue());
        if (trouble.isPresent()) {
          return trouble;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> of(String wire, Listener listener) {
    String flag = "--" + wire;
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      InetAddress address = InetAddress.getByName(listener.host());
      socket.bind(new InetSocketAddress(address, listener.port()));
      return Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.of(
          String.format(
              "%s must listen on an address of this machine, and '%s' is none; give another with"
                  + " %s ADDRESS:PORT",
              wire, listener.host(), flag));
    } catch (IOException e) {
      return Optional.of(
          String.format(
              "%s cannot listen on %s:%d (%s); choose another port with %s PORT, or 0 for a free"
                  + " one",
              wire, listener.host(), listener.port(), e.getMessage(), flag));
    }
  }
}
