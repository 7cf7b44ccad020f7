package dev.stint.http.servlet;

import dev.stint.http.HeaderCases;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet behind filters, on Jetty and a port of its own. */
final class JettyServer implements HeaderCases.Running {

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  JettyServer(HttpServlet servlet, Filter... filters) throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    for (Filter filter : filters) {
      context.addFilter(new FilterHolder(filter), "/*", EnumSet.allOf(DispatcherType.class));
    }
    context.addServlet(new ServletHolder(servlet), "/*");
    server.setHandler(context);
    server.start();
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
