package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Fingerprint;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys made to hurt. */
class AttackTest {

  @Test
  @Timeout(120)
  void a_million_keys_with_one_hash_code_are_a_million_keys() {
    RateLimiter limiter =
        RateLimiter.of(
            MemoryStore.builder().maxKeys(1 << 20).build(), Limit.parse("1/day fixed-window"));
    for (int i = 0; i < 1 << 20; i++) {
      StringBuilder key = new StringBuilder();
      for (int bit = 0; bit < 20; bit++) {
        key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      assertThat(key.toString().hashCode())
          .isEqualTo("AaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAa".hashCode());
      if (!limiter.hit(key.toString()).allowed()) {
        throw new AssertionError("key " + i + " was taken for another");
      }
    }
  }

  @Test
  void no_two_keys_of_a_crafted_set_share_a_fingerprint() {
    Set<String> seen = new HashSet<>();
    int count = 0;
    String[] atoms = {"a", "\0", "ÿ", "Ā", "\ud800", "\udc00", "€", "\uffff"};
    for (String atom : atoms) {
      for (String other : atoms) {
        for (int n = 1; n <= 40; n++) {
          for (int m = 0; m <= 9; m++) {
            String text = atom.repeat(n) + other.repeat(m);
            if (!atom.equals(other) || m == 0) {
              Fingerprint fingerprint = new Fingerprint();
              fingerprint.feed(text);
              seen.add(fingerprint.first() + ":" + fingerprint.second());
              count += m == 0 && !other.equals("a") ? 0 : 1;
            }
          }
        }
      }
    }
    assertThat(seen).hasSize(count);
    for (int n = 1; n <= 40; n++) {
      for (String text : new String[] {"a".repeat(n), "\0".repeat(n)}) {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.feed(text.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(seen.add(fingerprint.first() + ":" + fingerprint.second())).isTrue();
      }
      Fingerprint fingerprint = new Fingerprint();
      fingerprint.feed(n);
      assertThat(seen.add(fingerprint.first() + ":" + fingerprint.second())).isTrue();
    }
  }

  @Test
  @Timeout(60)
  void the_sweeper_is_a_daemon_that_comes_with_the_first_key_and_goes_with_the_store()
      throws InterruptedException {
    Set<Thread> before = sweepers();
    MemoryStore store = MemoryStore.builder().cleanPeriod(Duration.ofHours(1)).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("1/minute"));
    assertThat(sweepers()).isEqualTo(before);
    limiter.hit("k");
    Set<Thread> after = sweepers();
    after.removeAll(before);
    assertThat(after).hasSize(1).allMatch(Thread::isDaemon);
    store.close();
    for (Thread sweeper : after) {
      sweeper.join(10_000);
      assertThat(sweeper.isAlive()).isFalse();
    }
  }

  private static Set<Thread> sweepers() {
    Set<Thread> sweepers = new HashSet<>(Thread.getAllStackTraces().keySet());
    sweepers.removeIf(thread -> !thread.getName().equals("stint-sweeper"));
    return sweepers;
  }
}
