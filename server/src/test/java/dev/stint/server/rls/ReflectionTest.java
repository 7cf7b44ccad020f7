package dev.stint.server.rls;

import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Goes the way of {@code grpcurl}: asks what there is, and calls it knowing nothing else. */
class ReflectionTest {

  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";

  private static <Q, A> A ask(Function<StreamObserver<A>, StreamObserver<Q>> method, Q question)
      throws Exception {
    CompletableFuture<A> answer = new CompletableFuture<>();
    StreamObserver<Q> questions =
        method.apply(
            new StreamObserver<>() {
              @Override
              public void onNext(A value) {
                answer.complete(value);
              }

              @Override
              public void onError(Throwable failure) {
                answer.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                answer.completeExceptionally(new AssertionError("no answer"));
              }
            });
    questions.onNext(question);
    questions.onCompleted();
    return answer.get(10, TimeUnit.SECONDS);
  }

  private static ServerReflectionResponse ask(
      RlsService service, ServerReflectionRequest.Builder question) throws Exception {
    return ask(
        ServerReflectionGrpc.newStub(service.channel)::serverReflectionInfo, question.build());
  }

  @Test
  void lists_the_services() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      ServerReflectionResponse response =
          ask(service, ServerReflectionRequest.newBuilder().setListServices("*"));
      assertThat(response.getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .containsExactly(
              SERVICE,
              "grpc.health.v1.Health",
              "grpc.reflection.v1.ServerReflection",
              "grpc.reflection.v1alpha.ServerReflection");
    }
  }

  @Test
  @SuppressWarnings("deprecation") // that it is old is the point
  void speaks_the_older_version_too() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      io.grpc.reflection.v1alpha.ServerReflectionResponse response =
          ask(
              io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(service.channel)
                  ::serverReflectionInfo,
              io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
                  .setFileContainingSymbol(SERVICE)
                  .build());
      assertThat(response.getFileDescriptorResponse().getFileDescriptorProtoList()).hasSize(5);
      assertThat(response.getOriginalRequest().getFileContainingSymbol()).isEqualTo(SERVICE);
    }
  }

  @Test
  void finds_files_by_name_and_by_everything_that_is_in_them() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      for (String symbol :
          List.of(
              SERVICE + ".ShouldRateLimit",
              "envoy.service.ratelimit.v3.RateLimitResponse.RateLimit",
              "envoy.service.ratelimit.v3.RateLimitResponse.Code",
              "envoy.service.ratelimit.v3.RateLimitRequest.domain")) {
        ServerReflectionResponse response =
            ask(service, ServerReflectionRequest.newBuilder().setFileContainingSymbol(symbol));
        assertThat(
                FileDescriptorProto.parseFrom(
                        response.getFileDescriptorResponse().getFileDescriptorProto(0))
                    .getName())
            .isEqualTo("envoy/service/ratelimit/v3/rls.proto");
      }
      ServerReflectionResponse byName =
          ask(
              service,
              ServerReflectionRequest.newBuilder()
                  .setFileByFilename("google/protobuf/duration.proto"));
      assertThat(byName.getFileDescriptorResponse().getFileDescriptorProtoCount()).isEqualTo(1);
    }
  }

  @Test
  void says_what_it_does_not_know() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      ServerReflectionResponse response =
          ask(service, ServerReflectionRequest.newBuilder().setFileContainingSymbol("no.Such"));
      assertThat(response.getErrorResponse().getErrorCode()).isEqualTo(5);
      assertThat(response.getErrorResponse().getErrorMessage())
          .isEqualTo("not known here; list the services to see what there is");
    }
  }

  @Test
  void who_knows_nothing_but_the_port_can_call_the_service() throws Exception {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      ServerReflectionResponse response =
          ask(service, ServerReflectionRequest.newBuilder().setFileContainingSymbol(SERVICE));
      com.google.protobuf.Descriptors.MethodDescriptor method =
          file(response).findServiceByName("RateLimitService").findMethodByName("ShouldRateLimit");
      DynamicMessage.Builder question = DynamicMessage.newBuilder(method.getInputType());
      JsonFormat.parser()
          .merge(
              "{\"domain\":\"shop\",\"descriptors\":"
                  + "[{\"entries\":[{\"key\":\"user\",\"value\":\"a\"}]}]}",
              question);
      DynamicMessage answer =
          ClientCalls.blockingUnaryCall(
              service.channel, call(method), CallOptions.DEFAULT, question.build());
      assertThat(JsonFormat.printer().omittingInsignificantWhitespace().print(answer))
          .isEqualTo(
              "{\"overallCode\":\"OK\",\"statuses\":[{\"code\":\"OK\",\"currentLimit\":"
                  + "{\"requestsPerUnit\":5,\"unit\":\"MINUTE\"},\"limitRemaining\":4,"
                  + "\"durationUntilReset\":\"60s\"}]}");
    }
  }

  private static MethodDescriptor<DynamicMessage, DynamicMessage> call(
      com.google.protobuf.Descriptors.MethodDescriptor method) {
    return MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(method.getService().getFullName() + "/" + method.getName())
        .setRequestMarshaller(marshaller(method.getInputType()))
        .setResponseMarshaller(marshaller(method.getOutputType()))
        .build();
  }

  private static MethodDescriptor.Marshaller<DynamicMessage> marshaller(Descriptor type) {
    return ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(type));
  }

  /** Builds the first file of an answer from nothing but the answer. */
  private static FileDescriptor file(ServerReflectionResponse response)
      throws InvalidProtocolBufferException, DescriptorValidationException {
    Map<String, FileDescriptorProto> files = new HashMap<>();
    List<ByteString> all = response.getFileDescriptorResponse().getFileDescriptorProtoList();
    for (ByteString bytes : all) {
      FileDescriptorProto file = FileDescriptorProto.parseFrom(bytes);
      files.put(file.getName(), file);
    }
    return build(FileDescriptorProto.parseFrom(all.get(0)), files);
  }

  private static FileDescriptor build(
      FileDescriptorProto file, Map<String, FileDescriptorProto> files)
      throws DescriptorValidationException {
    FileDescriptor[] needed = new FileDescriptor[file.getDependencyCount()];
    for (int i = 0; i < needed.length; i++) {
      needed[i] = build(files.get(file.getDependency(i)), files);
    }
    return FileDescriptor.buildFrom(file, needed);
  }
}
