package dev.stint.spring.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.testkit.ManualTime;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Rules in properties, in front of a service of Spring gRPC. */
class GrpcTest {

  private static final Metadata.Key<String> RETRY_AFTER =
      Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

  private ConfigurableApplicationContext app;
  private ManagedChannel channel;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }

    @Bean
    BindableService echo() {
      return new Echo();
    }
  }

  static final class Echo implements BindableService {
    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder("shop.Echo")
          .addMethod(method("Say"), ServerCalls.asyncUnaryCall(Echo::say))
          .addMethod(method("Sing"), ServerCalls.asyncUnaryCall(Echo::say))
          .build();
    }

    private static void say(byte[] words, io.grpc.stub.StreamObserver<byte[]> answer) {
      answer.onNext(words);
      answer.onCompleted();
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName("shop.Echo/" + name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    app =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.NONE)
            .run(
                "--spring.main.banner-mode=off",
                "--spring.grpc.server.port=" + port,
                "--stint.rules.say.limit=2/min",
                "--stint.rules.say.match=/shop.Echo/Say");
    channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    app.close();
  }

  private String call(String method) {
    byte[] answer =
        ClientCalls.blockingUnaryCall(
            channel, method(method), CallOptions.DEFAULT, new byte[] {'h', 'i'});
    return new String(answer, java.nio.charset.StandardCharsets.US_ASCII);
  }

  @Test
  void calls_are_limited_by_the_rules_of_the_application() {
    assertThat(call("Say")).isEqualTo("hi");
    assertThat(call("Say")).isEqualTo("hi");
    assertThatThrownBy(() -> call("Say"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refused -> {
              assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              assertThat(refused.getTrailers().get(RETRY_AFTER)).isEqualTo("30");
            });
    assertThat(call("Sing")).isEqualTo("hi");
    app.getBean(ManualTime.class).advance(Duration.ofSeconds(30));
    assertThat(call("Say")).isEqualTo("hi");
  }
}
