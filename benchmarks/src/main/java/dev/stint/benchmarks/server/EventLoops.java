package dev.stint.benchmarks.server;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Objects;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The event loops of another JVM, asked how much they have allocated. */
final class EventLoops implements AutoCloseable {

  private static final String NAME = "vert.x-eventloop-thread";

  private final JMXConnector connector;
  private final ThreadMXBean threads;
  private final long[] ids;

  private EventLoops(JMXConnector connector) throws IOException {
    this.connector = connector;
    threads =
        ManagementFactory.newPlatformMXBeanProxy(
            connector.getMBeanServerConnection(),
            ManagementFactory.THREAD_MXBEAN_NAME,
            ThreadMXBean.class);
    ids =
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(Objects::nonNull)
            .filter(thread -> thread.getThreadName().startsWith(NAME))
            .mapToLong(ThreadInfo::getThreadId)
            .toArray();
    if (ids.length == 0) {
      throw new IOException("the service must have threads called " + NAME + ": none found");
    }
  }

  /** Attaches to this process. */
  @SuppressWarnings("BanJNDI") // the address is that of a process that we have started
  static EventLoops of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      return new EventLoops(JMXConnectorFactory.connect(new JMXServiceURL(address)));
    } catch (AttachNotSupportedException e) {
      throw new IOException("the service's JVM must let itself be attached to", e);
    }
  }

  /** Bytes so far, by all of them. */
  long allocated() {
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
