package dev.stint.server.admin;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.netty.util.internal.PlatformDependent;

/** Metrics of the JVM and of the process, by the names that Micrometer gives them everywhere. */
final class JvmMetrics implements AutoCloseable {

  private final JvmGcMetrics pauses = new JvmGcMetrics();

  JvmMetrics(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    pauses.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    Gauge.builder("stint.network.memory", PlatformDependent::usedDirectMemory)
        .description("Direct memory in use for the network.")
        .baseUnit("bytes")
        .register(registry);
  }

  /** Listens to garbage collections no longer. */
  @Override
  public void close() {
    pauses.close();
  }
}
