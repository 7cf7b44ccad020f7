package dev.stint.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.algorithm.State;
import dev.stint.memory.Clock.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A segment is rebuilt while callers fill cells that were absent when their number was counted. */
class RebuildTest {

  private static final int CELLS = 400;
  private static final Reading NOW = new Reading(0, 0);

  /** A row of a narrow state that does not expire. */
  private static final long STATE = new Packing(0).first(count(), 1000);

  private static State count() {
    State state = new State();
    state.present = true;
    state.count = 1;
    return state;
  }

  @Test
  @Timeout(60)
  void a_segment_with_more_states_than_were_counted_is_rebuilt_larger() throws Exception {
    for (int round = 0; round < 200; round++) {
      Table table = new Table(new Packing(0), new LogBudget(100), 0, Long.MAX_VALUE, 1);
      for (int cell = 1; cell <= CELLS; cell++) {
        table.ensureRow(2L * cell, low(cell), NOW, CELLS);
      }
      Thread filler = new Thread(() -> fill(table));
      filler.start();
      List<Long> added = new ArrayList<>();
      for (int cell = CELLS + 1; filler.isAlive() || added.size() < CELLS; cell++) {
        table.ensureRow(2L * cell, low(cell), NOW, 1);
        added.add(2L * cell);
      }
      filler.join();
      for (int cell = 1; cell <= CELLS; cell++) {
        if (table.segment(low(cell)).find(2L * cell, low(cell)) >= 0) {
          assertThat(table.isLive(2L * cell, low(cell), NOW)).isTrue();
        }
      }
    }
  }

  /** All in one segment. */
  private static long low(long cell) {
    return (cell * 0x9e3779b97f4a7c15L) << 16;
  }

  private static void fill(Table table) {
    for (int cell = 1; cell <= CELLS; cell++) {
      RowHold hold = new RowHold();
      for (int tries = 0; tries < 1000; tries++) {
        Segment segment = table.segment(low(cell));
        int row = segment.find(2L * cell, low(cell));
        if (row >= 0 && hold.take(segment, row, Packing.ABSENT)) {
          hold.word = STATE;
          hold.release();
          break;
        }
      }
    }
  }
}
