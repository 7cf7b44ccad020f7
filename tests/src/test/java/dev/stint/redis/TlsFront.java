package dev.stint.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Speaks TLS for a server that does not, with a certificate that nobody knows. */
final class TlsFront implements AutoCloseable {

  private static final String SECRET = "secret";
  private static final String NAMES = "san=dns:localhost,ip:127.0.0.1";

  private final Path certificate;
  private final SSLServerSocket listener;
  private final int port;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  /**
   * A front for the server on this port of the loopback.
   *
   * @param folder where keys may be kept
   */
  TlsFront(int port, Path folder) throws IOException, GeneralSecurityException {
    this.port = port;
    Path keys = folder.resolve("keys.p12");
    certificate = folder.resolve("certificate.pem");
    keytool(keys, "-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", NAMES);
    keytool(keys, "-exportcert", "-rfc", "-file", certificate.toString());
    listener =
        (SSLServerSocket)
            context(keys)
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  private static void keytool(Path keys, String command, String... options) throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> words = new ArrayList<>(List.of(program.toString(), command, "-alias", "front"));
    words.addAll(List.of("-keystore", keys.toString(), "-storepass", SECRET));
    words.addAll(List.of(options));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool must succeed: " + said);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static SSLContext context(Path keys) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, SECRET.toCharArray());
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, SECRET.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  String uri() {
    return "rediss://localhost:" + listener.getLocalPort();
  }

  /** What a client must trust. */
  Path certificate() {
    return certificate;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(client);
        sockets.add(server);
        daemon(() -> pipe(client, server));
        daemon(() -> pipe(server, client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private static void pipe(Socket from, Socket to) {
    try (from;
        to) {
      byte[] buffer = new byte[8192];
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        to.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException e) {
      // One of the two has gone, or does not trust us.
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "tls-front");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
