package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call has one message. What a client sends after it counts for nothing. */
class TwoMessagesTest {

  @TempDir Path folder;

  @Test
  void a_second_message_in_a_call_is_not_charged() throws Exception {
    try (Service service = Service.start(Setup.wide(folder));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.grpcPort());
        Rls client = Rls.connect(service.grpcPort())) {
      byte[] message = message(Rls.request("user", "alice"));
      byte[] both = H2.join(message, message, message);
      socket.getOutputStream().write(H2.join(H2.hello(), H2.call(1), H2.data(1, both)));
      await().until(() -> left(client, "alice") == 999_999);
      // Another call on the same connection: whatever came before it has been dealt with.
      byte[] another = message(Rls.request("user", "bob"));
      socket.getOutputStream().write(H2.join(H2.call(3), H2.data(3, another)));
      await().until(() -> left(client, "bob") == 999_999);
      assertThat(left(client, "alice")).isEqualTo(999_999);
    }
  }

  /** Asks, and takes nothing. */
  private static long left(Rls client, String user) {
    RateLimitRequest.Builder request = Rls.request("user", user).toBuilder();
    request.getDescriptorsBuilder(0).getHitsAddendBuilder().setValue(0);
    return client.ask(request.build()).getStatuses(0).getLimitRemaining();
  }

  private static byte[] message(RateLimitRequest request) {
    byte[] bytes = request.toByteArray();
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }
}
