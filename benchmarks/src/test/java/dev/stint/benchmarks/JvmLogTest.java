package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmLogTest {

  @Test
  void collections_are_read_from_the_safepoint_log_and_other_stops_are_not() {
    Stalls stalls =
        Safepoints.collections(
            """
            [5000000000ns] Safepoint "ICBufferFull", Time since last: 1 ns, Reaching safepoint: 2 ns, Cleanup: 3 ns, At safepoint: 4 ns, Total: 900 ns
            [6000000000ns] Safepoint "G1CollectForAllocation", Time since last: 1 ns, Reaching safepoint: 2 ns, Cleanup: 3 ns, At safepoint: 4 ns, Total: 4000 ns
            [7000000000ns] Safepoint "G1PauseRemark", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 4 ns, Total: 700 ns
            """);
    assertThat(stalls.count()).isEqualTo(2);
    assertThat(stalls.longest()).isEqualTo(4000);
    Stalls insert = new Stalls();
    insert.add(5_999_990_000L, 6_000_000_000L);
    assertThat(insert.longestNetOf(stalls)).isEqualTo(6_000);
  }

  @Test
  void regions_are_those_after_the_last_collection() {
    assertThat(
            Heap.lastRegions(
                """
                [gc,heap] GC(0) Eden regions: 9->0(10)
                [gc,heap] GC(0) Survivor regions: 0->2(3)
                [gc,heap] GC(0) Old regions: 4->5
                [gc,heap] GC(0) Humongous regions: 7->7
                [gc,heap] GC(1) Eden regions: 9->0(10)
                [gc,heap] GC(1) Survivor regions: 2->0(3)
                [gc,heap] GC(1) Old regions: 5->6
                [gc,heap] GC(1) Humongous regions: 7->3
                """))
        .isEqualTo(9);
  }
}
