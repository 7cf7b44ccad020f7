package dev.stint.server.attack;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One HTTP/2 connection that sends whole bodies, within the windows that the service grants, and
 * grants none itself.
 */
final class Http2Attacker implements AutoCloseable {

  private static final int FRAME = 16 << 10;
  private static final int STANDARD_WINDOW = 65_535;
  private static final int CONNECTION = 0;

  private final Socket socket = new Socket();
  private final OutputStream out;
  private final Map<Integer, Long> windows = new ConcurrentHashMap<>();
  private volatile long initialWindow = STANDARD_WINDOW;
  private volatile boolean gone;
  private int stream = -1;

  Http2Attacker(InetAddress from, InetSocketAddress to, byte[] hello) throws IOException {
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(to);
    socket.setSoLinger(true, 0);
    out = socket.getOutputStream();
    out.write(hello);
    windows.put(CONNECTION, (long) STANDARD_WINDOW);
    Thread reader = new Thread(this::read, "http2 reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        byte type = in.readByte();
        int flags = in.readUnsignedByte();
        int of = in.readInt();
        byte[] payload = in.readNBytes(length);
        if (type == Http2Frames.WINDOW_UPDATE) {
          grant(of, number(payload, 0));
        } else if (type == Http2Frames.SETTINGS && flags != Http2Frames.ACK) {
          for (int i = 0; i + 6 <= length; i += 6) {
            if (payload[i + 1] == Http2Frames.INITIAL_WINDOW_SIZE) {
              initialWindow = number(payload, i + 2);
            }
          }
        } else if (type == Http2Frames.RST_STREAM) {
          windows.put(of, Long.MIN_VALUE / 2);
          grant(of, 0);
        }
      }
    } catch (IOException e) {
      gone = true;
      synchronized (windows) {
        windows.notifyAll();
      }
    }
  }

  private static long number(byte[] bytes, int at) {
    return ((bytes[at] & 127L) << 24)
        | ((bytes[at + 1] & 255) << 16)
        | ((bytes[at + 2] & 255) << 8)
        | (bytes[at + 3] & 255);
  }

  private void grant(int of, long more) {
    synchronized (windows) {
      windows.merge(of, more, Long::sum);
      windows.notifyAll();
    }
  }

  /** Whether the service has ended the connection. */
  boolean isGone() {
    return gone;
  }

  /** The next stream's number. */
  int next() {
    stream += 2;
    return stream;
  }

  void send(byte[]... frames) throws IOException {
    out.write(Http2Frames.join(frames));
  }

  /**
   * Sends a body as far as it may within the time.
   *
   * @return whether all of it was taken
   */
  boolean body(int of, byte[] body, long untilNanos) throws IOException, InterruptedException {
    windows.putIfAbsent(of, initialWindow);
    for (int at = 0; at < body.length; ) {
      int size = (int) Math.min(FRAME, Math.min(body.length - at, window(of, untilNanos)));
      if (size <= 0) {
        return false;
      }
      grant(of, -size);
      grant(CONNECTION, -size);
      int flags = at + size == body.length ? Http2Frames.END_STREAM : 0;
      send(Http2Frames.frame(Http2Frames.DATA, flags, of, Arrays.copyOfRange(body, at, at + size)));
      at += size;
    }
    return true;
  }

  /** Waits for a window; what it is then, or nothing. */
  private long window(int of, long untilNanos) throws InterruptedException {
    synchronized (windows) {
      while (true) {
        long window = Math.min(windows.get(of), windows.get(CONNECTION));
        long left = untilNanos - System.nanoTime();
        if (window > 0 || gone || left <= 0 || windows.get(of) < -Integer.MAX_VALUE) {
          return gone ? 0 : window;
        }
        windows.wait(Math.max(1, left / 1_000_000));
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
