package dev.stint.server.ordeal;

import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.stub.StreamObserver;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Questions at a fixed rate on one wire, whether or not those before were answered, each with the
 * time from when it was due to when its answer came.
 */
final class Traffic implements AutoCloseable {

  /**
   * A question that was answered.
   *
   * @param exact whether Redis has decided it
   */
  record Sample(long start, long end, boolean exact) {}

  /** A wire that can be asked without waiting. */
  interface Line extends AutoCloseable {

    /** Asks; the answer is told by {@link Traffic#answered} or {@link Traffic#failed}. */
    void ask(Traffic traffic, long due) throws IOException;
  }

  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong open = new AtomicLong();
  private final Line line;
  private final Thread sender;
  private volatile boolean over;

  Traffic(Line line, int perSecond) {
    this.line = line;
    this.sender = new Thread(() -> send(1_000_000_000L / perSecond), "sender");
    sender.setDaemon(true);
    sender.start();
  }

  private void send(long pause) {
    long due = System.nanoTime();
    while (!over) {
      long now = System.nanoTime();
      if (now < due) {
        LockSupport.parkNanos(due - now);
        continue;
      }
      open.incrementAndGet();
      try {
        line.ask(this, due);
      } catch (IOException | RuntimeException e) {
        failed(e.toString());
      }
      due += pause;
    }
  }

  void answered(long due, boolean exact) {
    open.decrementAndGet();
    samples.add(new Sample(due, System.nanoTime(), exact));
  }

  void failed(String why) {
    open.decrementAndGet();
    failures.add(why);
  }

  List<Sample> between(long from, long to) {
    return samples.stream().filter(one -> one.start >= from && one.end <= to).toList();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** How long it took from now until a question that was due after now had such an answer. */
  Duration await(Duration most, Predicate<Sample> wanted) {
    long from = System.nanoTime();
    while (System.nanoTime() - from < most.toNanos()) {
      for (Sample sample : samples) {
        if (sample.start >= from && wanted.test(sample)) {
          return Duration.ofNanos(sample.end - from);
        }
      }
      LockSupport.parkNanos(5_000_000);
    }
    throw new AssertionError("no such answer within " + most);
  }

  /** Asks no more, and waits for what is open. */
  void end() throws InterruptedException {
    over = true;
    sender.join();
    for (int i = 0; i < 1000 && open.get() > 0; i++) {
      Thread.sleep(10);
    }
    if (open.get() > 0) {
      failures.add(open.get() + " were never answered");
    }
  }

  @Override
  public void close() throws Exception {
    over = true;
    sender.join();
    line.close();
  }

  // ---- the wires -------------------------------------------------------------------------------

  static Line http(Service service) throws IOException {
    List<Pipe> pipes = new ArrayList<>();
    for (int i = 0; i < 48; i++) { // as many as can be open at once
      pipes.add(new Pipe(service.httpPort(), new HttpForm()));
    }
    return new Pipes(pipes, 1);
  }

  static Line resp(Service service) throws IOException {
    List<Pipe> pipes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      pipes.add(new Pipe(service.respPort(), new RespForm()));
    }
    return new Pipes(pipes, Integer.MAX_VALUE);
  }

  static Line grpc(Service service) {
    Rls client = Rls.connect(service.grpcPort());
    return new Line() {
      private long number;

      @Override
      public void ask(Traffic traffic, long due) {
        client
            .async()
            .shouldRateLimit(
                Rls.request("strict", "key" + number++ % 50), new Observer(traffic, due));
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** Under a rule that denies without Redis, who is admitted was decided by it. */
  private record Observer(Traffic traffic, long due) implements StreamObserver<RateLimitResponse> {
    @Override
    public void onNext(RateLimitResponse answer) {
      traffic.answered(due, answer.getOverallCode() == Code.OK);
    }

    @Override
    public void onError(Throwable failure) {
      traffic.failed(failure.toString());
    }

    @Override
    public void onCompleted() {}
  }

  /** How questions and answers look. */
  private interface Form {
    String question(long number);

    /** Reads one answer: whether Redis has decided it. */
    boolean answer(InputStream in) throws IOException;
  }

  private static final class HttpForm implements Form {
    @Override
    public String question(long number) {
      String body = "{\"policy\":\"api\",\"key\":\"key" + number % 50 + "\"}";
      return "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
          + body.length()
          + "\r\n\r\n"
          + body;
    }

    @Override
    public boolean answer(InputStream in) throws IOException {
      String first = line(in);
      int length = 0;
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        if (line.startsWith("content-length: ")) {
          length = Integer.parseInt(line.substring(16));
        }
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      if (!first.startsWith("HTTP/1.1 200")) {
        throw new IOException("answered " + first + " " + body);
      }
      return !body.contains("\"degraded\":true");
    }
  }

  private static final class RespForm implements Form {
    @Override
    public String question(long number) {
      return "STINT.HIT api key" + number % 50 + "\r\n";
    }

    @Override
    public boolean answer(InputStream in) throws IOException {
      String head = line(in);
      if (!head.equals("*6")) {
        throw new IOException("answered " + head);
      }
      String last = "";
      for (int i = 0; i < 6; i++) {
        last = line(in);
      }
      return last.equals(":0");
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("closed by the service");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** A connection with a thread that reads the answers. */
  private static final class Pipe {
    private final Socket socket;
    private final Form form;
    private final Deque<Long> open = new ConcurrentLinkedDeque<>();
    private final InputStream in;
    private @Nullable Traffic traffic;

    Pipe(int port, Form form) throws IOException {
      this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      this.form = form;
      this.in = new BufferedInputStream(socket.getInputStream());
    }

    void ask(Traffic asker, long due, long number) throws IOException {
      if (traffic == null) {
        traffic = asker;
        Thread reader = new Thread(() -> read(asker), "reader");
        reader.setDaemon(true);
        reader.start();
      }
      open.add(due);
      socket.getOutputStream().write(form.question(number).getBytes(StandardCharsets.UTF_8));
    }

    private void read(Traffic told) {
      try {
        while (true) {
          boolean exact = form.answer(in);
          told.answered(open.removeFirst(), exact);
        }
      } catch (IOException e) {
        if (!open.isEmpty()) {
          told.failed(e.toString());
        }
      }
    }
  }

  private static final class Pipes implements Line {
    private final List<Pipe> pipes;
    private final int mostOpen;
    private long number;

    Pipes(List<Pipe> pipes, int mostOpen) {
      this.pipes = pipes;
      this.mostOpen = mostOpen;
    }

    @Override
    public void ask(Traffic traffic, long due) throws IOException {
      for (int i = 0; ; i++) {
        Pipe pipe = pipes.get((int) (number++ % pipes.size()));
        if (pipe.open.size() < mostOpen || i > pipes.size()) {
          pipe.ask(traffic, due, number);
          return;
        }
      }
    }

    @Override
    public void close() throws IOException {
      for (Pipe pipe : pipes) {
        pipe.socket.close();
      }
    }
  }
}
