package dev.stint.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** An application on a port of its own, and a client for it. */
final class RunningApp implements AutoCloseable {

  private final ConfigurableApplicationContext context;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private RunningApp(ConfigurableApplicationContext context) {
    this.context = context;
  }

  static RunningApp servlet(Class<?> app, String... properties) {
    return start(WebApplicationType.SERVLET, app, properties);
  }

  static RunningApp webFlux(Class<?> app, String... properties) {
    return start(WebApplicationType.REACTIVE, app, properties);
  }

  /** Of a kind that a test is given as a parameter: servlet or webflux. */
  static RunningApp of(String kind, Class<?> app, String... properties) {
    return kind.equals("webflux") ? webFlux(app, properties) : servlet(app, properties);
  }

  private static RunningApp start(WebApplicationType type, Class<?> app, String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--server.port=0");
    arguments.add("--spring.main.banner-mode=off");
    // Reactor Netty 1.3.7 may stop reading a connection that is kept alive (its issue 4361).
    arguments.add("--server.netty.max-keep-alive-requests=1");
    arguments.add("--logging.level.root=warn");
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return new RunningApp(
        new SpringApplicationBuilder(app)
            .web(type)
            .initializers(
                context -> {
                  if (type == WebApplicationType.REACTIVE) {
                    serveByNetty((GenericApplicationContext) context);
                  }
                })
            .run(arguments.toArray(String[]::new)));
  }

  /** Boot takes Tomcat for WebFlux where it and Netty are both there, as here. */
  private static <T extends WebServerFactory> void serveByNetty(GenericApplicationContext context) {
    String embedded = "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory";
    String ofBoot4 = "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory";
    @SuppressWarnings("unchecked")
    Class<T> netty =
        (Class<T>)
            ClassUtils.resolveClassName(
                ClassUtils.isPresent(ofBoot4, null) ? ofBoot4 : embedded, null);
    context.registerBean("nettyServer", netty, () -> BeanUtils.instantiateClass(netty));
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  <T> Collection<T> beans(Class<T> type) {
    return context.getBeansOfType(type).values();
  }

  URI uri(String path) {
    return uri("local.server.port", path);
  }

  private URI uri(String port, String path) {
    return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty(port) + path);
  }

  /** From the port that the actuator has of its own. */
  HttpResponse<String> getManaged(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri("local.management.port", path)).build());
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    context.close();
  }
}
