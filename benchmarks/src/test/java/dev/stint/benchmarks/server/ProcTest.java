package dev.stint.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcTest {

  @Test
  void processor_time_is_read_behind_the_programs_name() {
    String stat = "42 (a) name) S 1 42 42 0 -1 4194560 9 8 7 6 100 50 30 20 20 0 33 0 1 2 3";
    assertThat(Proc.cpuSeconds(stat, false)).isEqualTo(1.5);
    assertThat(Proc.cpuSeconds(stat, true)).isEqualTo(2.0);
  }

  @Test
  void memory_is_told_in_millions_of_bytes() {
    String status = "Name:\tjava\nVmHWM:\t  400000 kB\nVmRSS:\t  300000 kB\n";
    assertThat(Proc.megabytes(status, "VmRSS")).isEqualTo(307.2);
    assertThatThrownBy(() -> Proc.megabytes(status, "VmSwap"))
        .hasMessageStartingWith("status must have the field VmSwap");
  }

  @Test
  void waiting_is_not_being_busy() {
    Proc.Machine machine = Proc.Machine.of("cpu  100 0 50 9999 9999 1 2 300 0 0\ncpu0 1 2\n");
    assertThat(machine.busy()).isEqualTo(1.53);
    assertThat(machine.stolen()).isEqualTo(3.0);
  }

  @Test
  void a_machine_in_use_is_not_to_be_trusted() {
    assertThat(Load.words(0.05, 0.01))
        .isEqualTo("others kept 0.05 processors busy, 0.01 were taken away");
    assertThat(Load.words(0.5, 0)).endsWith(": do not trust this");
  }

  @Test
  void ports_are_found_with_and_without_an_address() {
    Ports ports = new Ports();
    ports.read("configuration  /tmp/bench123.yaml");
    ports.read("http           127.0.0.1:41234");
    ports.read("grpc           41235");
    ports.read("resp           [::1]:41236");
    assertThat(ports.has(List.of("http", "grpc", "resp", "admin"))).isFalse();
    ports.read("admin          127.0.0.1:41237");
    assertThat(ports.has(List.of("http", "grpc", "resp", "admin"))).isTrue();
    assertThat(ports.of("http")).isEqualTo(41234);
    assertThat(ports.of("grpc")).isEqualTo(41235);
    assertThat(ports.of("resp")).isEqualTo(41236);
    assertThat(ports.of("admin")).isEqualTo(41237);
  }
}
