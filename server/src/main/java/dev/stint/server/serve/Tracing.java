package dev.stint.server.serve;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.vertx.core.VertxBuilder;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;

/**
 * Spans of requests over HTTP and gRPC, sent to a collector. A class of its own, so that none of
 * the libraries is loaded where nobody asked for traces.
 */
final class Tracing implements AutoCloseable {

  private static final String PATH = "/v1/traces";

  private final OpenTelemetrySdk sdk;

  private Tracing(OpenTelemetrySdk sdk) {
    this.sdk = sdk;
  }

  /** Sends spans to the collector at this address, such as {@code http://localhost:4318}. */
  static Tracing to(String collector) {
    String base =
        collector.endsWith("/") ? collector.substring(0, collector.length() - 1) : collector;
    String address = base.endsWith(PATH) ? base : base + PATH;
    SdkTracerProvider tracers =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(AttributeKey.stringKey("service.name"), "stint"))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder().setEndpoint(address).build())
                    .build())
            .build();
    return new Tracing(
        OpenTelemetrySdk.builder()
            .setTracerProvider(tracers)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build());
  }

  void trace(VertxBuilder vertx) {
    vertx.withTracer(new OpenTelemetryTracingFactory(sdk));
  }

  /** Sends what is left. */
  @Override
  public void close() {
    sdk.close();
  }
}
