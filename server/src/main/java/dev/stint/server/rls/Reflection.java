package dev.stint.server.rls;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.stint.rls.Rls;
import io.grpc.health.v1.HealthProto;
import io.grpc.reflection.v1.ErrorResponse;
import io.grpc.reflection.v1.ExtensionNumberResponse;
import io.grpc.reflection.v1.FileDescriptorResponse;
import io.grpc.reflection.v1.ListServiceResponse;
import io.grpc.reflection.v1.ServerReflectionProto;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's reflection, so that {@code grpcurl} can call without files of its own.
 *
 * <p>Its two versions have the same bytes under two names, so one set of messages serves both.
 */
final class Reflection {

  /** What the paths of all its versions begin with. */
  static final String PATH = "/grpc.reflection.";

  /** What one stream may have waiting for a client that does not read: an answer, and a queue. */
  static final long MOST_ANSWER = 64 << 10;

  @SuppressWarnings("deprecation") // many a client still asks for v1alpha first
  private static final List<FileDescriptor> ROOTS =
      List.of(
          Rls.getDescriptor(),
          HealthProto.getDescriptor(),
          ServerReflectionProto.getDescriptor(),
          io.grpc.reflection.v1alpha.ServerReflectionProto.getDescriptor());

  private final Map<String, FileDescriptor> files = new HashMap<>();
  private final Map<String, FileDescriptor> symbols = new HashMap<>();
  private final Set<String> types = new LinkedHashSet<>();
  private final ListServiceResponse services;

  Reflection() {
    ListServiceResponse.Builder list = ListServiceResponse.newBuilder();
    for (FileDescriptor root : ROOTS) {
      learn(root);
      for (ServiceDescriptor service : root.getServices()) {
        list.addService(ServiceResponse.newBuilder().setName(service.getFullName()));
      }
    }
    services = list.build();
  }

  private void learn(FileDescriptor file) {
    if (files.put(file.getName(), file) != null) {
      return;
    }
    file.getDependencies().forEach(this::learn);
    file.getMessageTypes().forEach(this::learn);
    file.getEnumTypes().forEach(this::learn);
    for (ServiceDescriptor service : file.getServices()) {
      symbols.put(service.getFullName(), file);
      for (MethodDescriptor method : service.getMethods()) {
        symbols.put(method.getFullName(), file);
      }
    }
  }

  private void learn(Descriptor type) {
    symbols.put(type.getFullName(), type.getFile());
    types.add(type.getFullName());
    type.getNestedTypes().forEach(this::learn);
    type.getEnumTypes().forEach(this::learn);
    for (FieldDescriptor field : type.getFields()) {
      symbols.put(field.getFullName(), type.getFile());
    }
  }

  private void learn(EnumDescriptor type) {
    symbols.put(type.getFullName(), type.getFile());
  }

  void register(GrpcCalls calls) {
    for (String version : List.of("v1", "v1alpha")) {
      calls.guardedStream(
          "grpc.reflection." + version + ".ServerReflection",
          "ServerReflectionInfo",
          ServerReflectionRequest.parser(),
          this::serve);
    }
  }

  private void serve(
      ServerReflectionRequest request,
      GrpcServerRequest<ServerReflectionRequest, ServerReflectionResponse> call) {
    GrpcServerResponse<ServerReflectionRequest, ServerReflectionResponse> response =
        call.response();
    response.write(answer(request)).onFailure(GrpcCalls::ignore);
    if (response.writeQueueFull()) { // who does not read is not listened to
      call.pause();
      response.drainHandler(read -> call.resume());
    }
  }

  ServerReflectionResponse answer(ServerReflectionRequest request) {
    ServerReflectionResponse.Builder response =
        ServerReflectionResponse.newBuilder()
            .setValidHost(request.getHost())
            .setOriginalRequest(request);
    switch (request.getMessageRequestCase()) {
      case LIST_SERVICES -> response.setListServicesResponse(services);
      case FILE_BY_FILENAME -> describe(files.get(request.getFileByFilename()), response);
      case FILE_CONTAINING_SYMBOL ->
          describe(symbols.get(request.getFileContainingSymbol()), response);
      case ALL_EXTENSION_NUMBERS_OF_TYPE ->
          tellExtensions(request.getAllExtensionNumbersOfType(), response);
      case FILE_CONTAINING_EXTENSION -> response.setErrorResponse(notFound("there are none"));
      case MESSAGEREQUEST_NOT_SET ->
          response.setErrorResponse(
              error(GrpcStatus.INVALID_ARGUMENT, "a request must ask for something"));
    }
    return response.build();
  }

  private static void describe(
      @Nullable FileDescriptor file, ServerReflectionResponse.Builder response) {
    if (file == null) {
      response.setErrorResponse(notFound("list the services to see what there is"));
      return;
    }
    FileDescriptorResponse.Builder all = FileDescriptorResponse.newBuilder();
    addWithDependencies(file, new LinkedHashSet<>(), all);
    response.setFileDescriptorResponse(all);
  }

  private static void addWithDependencies(
      FileDescriptor file, Set<String> added, FileDescriptorResponse.Builder all) {
    if (added.add(file.getName())) {
      all.addFileDescriptorProto(file.toProto().toByteString());
      for (FileDescriptor one : file.getDependencies()) {
        addWithDependencies(one, added, all);
      }
    }
  }

  /** Nothing here is extended. */
  private void tellExtensions(String type, ServerReflectionResponse.Builder response) {
    if (types.contains(type)) {
      response.setAllExtensionNumbersResponse(
          ExtensionNumberResponse.newBuilder().setBaseTypeName(type));
    } else {
      response.setErrorResponse(notFound("list the services to see what there is"));
    }
  }

  private static ErrorResponse notFound(String cure) {
    return error(GrpcStatus.NOT_FOUND, "not known here; " + cure);
  }

  private static ErrorResponse error(GrpcStatus status, String sentence) {
    return ErrorResponse.newBuilder().setErrorCode(status.code).setErrorMessage(sentence).build();
  }
}
