package dev.stint.studio.simulate;

import dev.stint.Limit;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Span;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trial;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table in the README: what each algorithm makes of each kind of traffic. */
final class ChoiceTable {

  private static final long AMOUNT = 100;
  private static final long WINDOW = Span.MINUTE;
  private static final long SEED = 1;

  private static final List<String> TRAFFIC =
      List.of(
          "steady:90/min",
          "steady:200/min",
          "poisson:100/min",
          "burst:200@boundary",
          "attacker:window",
          "humans",
          "flash-sale",
          "retry-herd");

  private ChoiceTable() {}

  /** As Markdown, a line for each kind of traffic. */
  static String make() throws Unreadable {
    List<Plan> plans = Plan.of(Limit.parseAll(AMOUNT + "/minute"), List.of(Plan.ALL));
    StringBuilder text = new StringBuilder("| traffic |");
    plans.forEach(plan -> text.append(' ').append(plan.name()).append(" |"));
    text.append("\n|---|").append("---|".repeat(plans.size())).append('\n');
    for (String traffic : TRAFFIC) {
      text.append("| `").append(traffic).append("` |");
      for (String cell : row(traffic, plans)) {
        text.append(' ').append(cell).append(" |");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static List<String> row(String traffic, List<Plan> plans) throws Unreadable {
    Setting setting =
        new Setting(Setting.startOf(WINDOW), Setting.WINDOWS * WINDOW, AMOUNT, WINDOW);
    Map<Plan, Worst> worst = new HashMap<>();
    try (Simulation simulation =
            new Simulation(
                Traffic.parse(traffic), setting, SEED, plans, List.of(), Interruption.none());
        Progress none = new Progress(new PrintWriter(Writer.nullWriter()), 0, "requests")) {
      simulation.run(
          (request, trial) ->
              worst.computeIfAbsent(trial.plan(), plan -> new Worst()).decided(request, trial),
          none);
      return simulation.runs().stream()
          .flatMap(run -> run.trials().all().stream())
          .map(trial -> cell(trial, worst.getOrDefault(trial.plan(), new Worst()).most))
          .toList();
    }
  }

  private static String cell(Trial trial, long most) {
    double share = 100.0 * (trial.requests() - trial.refused()) / trial.requests();
    return String.format(Locale.ROOT, share == 100 ? "all, %2$d" : "%1$.1f %%, %2$d", share, most);
  }

  /** The most that one key was admitted within one window, wherever that begins. */
  private static final class Worst implements Simulation.Observer {

    private final Map<String, Deque<Long>> admitted = new HashMap<>();
    private long most;

    @Override
    public void decided(Source.Request request, Trial trial) {
      if (trial.last() != null && trial.last().allowed()) {
        Deque<Long> recent = admitted.computeIfAbsent(request.key(), key -> new ArrayDeque<>());
        recent.add(request.at());
        // As in the log, what is exactly one window old is out.
        while (recent.element() <= request.at() - WINDOW) {
          recent.remove();
        }
        most = Math.max(most, recent.size());
      }
    }
  }
}
