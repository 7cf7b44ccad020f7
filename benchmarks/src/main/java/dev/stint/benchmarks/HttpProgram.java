package dev.stint.benchmarks;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A server of its own that says hello behind one contestant, until its input ends. */
public final class HttpProgram {

  private HttpProgram() {}

  /** Starts the server and prints its port. */
  public static void main(String[] args) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    HttpContestant.valueOf(args[0])
        .filter()
        .ifPresent(
            filter ->
                context.addFilter(
                    new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST)));
    context.addServlet(new ServletHolder(new Hello()), "/*");
    server.setHandler(context);
    server.start();
    System.out.println(connector.getLocalPort());
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      System.out.println(cpuNanos());
    }
    server.stop();
    System.exit(0);
  }

  /** What all threads of this process have used of the processors, the system's part included. */
  private static long cpuNanos() {
    var system =
        (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  private static final class Hello extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.setContentLength(BODY.length);
      response.getOutputStream().write(BODY);
    }
  }
}
