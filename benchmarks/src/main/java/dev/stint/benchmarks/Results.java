package dev.stint.benchmarks;

import dev.stint.benchmarks.Cell.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a run has measured. */
record Results(
    Environment environment, List<Figure> figures, List<Retained> retained, List<Growth> growth) {

  Results(Environment environment) {
    this(environment, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  Optional<Figure> figure(Section section, String row, String column) {
    return figures.stream()
        .filter(figure -> figure.cell().section() == section)
        .filter(figure -> figure.cell().row().equals(row))
        .filter(figure -> figure.cell().column().equals(column))
        .findFirst();
  }

  Optional<Retained> retained(String row, int keys) {
    return retained.stream().filter(one -> one.row().equals(row) && one.keys() == keys).findFirst();
  }

  Optional<Growth> growth(String row) {
    return growth.stream().filter(one -> one.row().equals(row)).findFirst();
  }

  /** Bytes that a hit allocates beyond its key string. */
  Optional<Double> allocated(Figure figure) {
    String column = figure.cell().column();
    return figure(Section.HITS, Plan.KEY, column)
        .or(() -> figure(Section.HITS, Plan.KEY, Plan.column(KeySet.HOT, 1)))
        .map(key -> figure.bytes() - key.bytes());
  }
}
