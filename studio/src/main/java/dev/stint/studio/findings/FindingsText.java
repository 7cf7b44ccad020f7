package dev.stint.studio.findings;

import dev.stint.studio.cli.Ink;
import dev.stint.studio.cli.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Findings as text for a terminal or a file. */
public final class FindingsText {

  private static final int NARROWEST = 40;

  /** The spaces within a number and its unit, or several such as 2 h 59 min: no line ends there. */
  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile(
          "(?<=\\d) (?=(%|d|h|min|s|ms|us)([^A-Za-z]|$))"
              + "|(?<=\\d (d|h|min)) (?=\\d{1,2} (h|min|s)([^A-Za-z]|$))");

  private final Findings findings;
  private final Ink ink;
  private final int width;
  private final StringBuilder text = new StringBuilder();

  private FindingsText(Findings findings, Ink ink, int width) {
    this.findings = findings;
    this.ink = ink;
    this.width = width;
  }

  /** All of it, no wider than {@code columns} where that can be done. */
  public static String of(Findings findings, Ink ink, int columns) {
    return new FindingsText(findings, ink, Math.max(NARROWEST, columns)).all();
  }

  private String all() {
    source();
    if (findings.command().equals("recommend") && !findings.distributions().isEmpty()) {
      line("");
      use();
    }
    if (!findings.proposals().isEmpty()) {
      line("");
      proposals();
    }
    if (!findings.lanes().isEmpty()) {
      line("");
      if (!findings.proposals().isEmpty()) {
        paragraph("what would come of ", limits() + ":");
      }
      numbers();
    }
    if (findings.requests() > 0 && !findings.lanes().isEmpty()) {
      line("");
      text.append(new Sparks(ink, width).of(findings));
    }
    List<Findings.Offender> offenders = offenders();
    if (!offenders.isEmpty()) {
      line("");
      refused(offenders);
    }
    line("");
    paragraph(ink.arrow() + " ", findings.verdict());
    if (!findings.proposals().isEmpty()) {
      line("");
      text.append(findings.yaml());
    }
    return text.toString();
  }

  // What was read

  private void source() {
    Findings.Source source = findings.source();
    List<String> how = new ArrayList<>(List.of(source.format()));
    how.add(source.seed().map(seed -> "seed " + seed).orElse("by " + source.by()));
    long time = findings.arrived().last() - findings.arrived().start();
    boolean standard = source.seed().isEmpty() && source.name().equals("-");
    paragraph(
        "",
        (standard ? "standard input" : Table.clean(source.name()))
            + " ("
            + String.join(", ", how)
            + "): "
            + Figures.of(findings.requests(), "request")
            + " of "
            + Figures.of(findings.keys(), "client")
            + " in "
            + Span.covered(time));
    if (!findings.lanes().isEmpty() && findings.proposals().isEmpty()) {
      paragraph("limit: ", limits());
    }
    if (source.bad() + source.late() > 0) {
      paragraph(
          "",
          "of "
              + Figures.of(source.lines(), "line")
              + ", "
              + Figures.count(source.bad())
              + " could not be understood and "
              + Figures.count(source.late())
              + " came too late");
    }
    if (findings.interrupted()) {
      paragraph("", ink.warning("interrupted: this is what was found until then"));
    }
    for (String note : source.notes()) {
      paragraph("note: ", note);
    }
  }

  /**
   * Without the algorithm, which the lanes differ by; with the burst, which not all of them have.
   */
  private String limits() {
    return findings.lanes().stream()
        .map(lane -> String.join("; ", lane.limits()).replace(" " + lane.name(), ""))
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  // What each plan made of it

  private void numbers() {
    Table table = new Table(7);
    table.row("", "", "", "clients", "worst", "worst", "unneeded");
    table.row("algorithm", "admitted", "refused", "refused", "second", "minute", "refusals");
    for (Findings.Lane lane : findings.lanes()) {
      table.row(
          lane.name(),
          lane.admitted(),
          lane.refused(),
          lane.keysRefused(),
          lane.worstSecond(),
          lane.worstMinute(),
          lane.unneeded());
    }
    List<String> lines = table.lines(width);
    line(ink.faint(lines.get(0)));
    line(ink.faint(lines.get(1)));
    lines.subList(2, lines.size()).forEach(this::line);
    if (findings.keys() > 1) {
      line(ink.faint("worst second and minute: all clients together"));
    }
  }

  // Who was refused

  /** Each key once, as the lane tells it that refused it most; of equals the first. */
  private List<Findings.Offender> offenders() {
    Map<String, Findings.Offender> worst = new LinkedHashMap<>();
    int most = 0;
    for (Findings.Lane lane : findings.lanes()) {
      most = Math.max(most, lane.offenders().size());
      for (Findings.Offender offender : lane.offenders()) {
        worst.merge(offender.key(), offender, (a, b) -> b.refused() > a.refused() ? b : a);
      }
    }
    return worst.values().stream()
        .sorted(Comparator.comparingLong(Findings.Offender::refused).reversed())
        .limit(most)
        .toList();
  }

  private void refused(List<Findings.Offender> offenders) {
    Table table = new Table(4).left(3);
    table.row("refused most", "requests", "refused", "how it came");
    for (Findings.Offender one : offenders) {
      table.row(one.key(), one.requests(), one.refused(), one.pattern());
    }
    List<String> lines = table.lines(width);
    line(ink.faint(lines.get(0)));
    int room = width - lines.stream().mapToInt(String::length).max().getAsInt() - 2;
    for (int i = 0; i < offenders.size(); i++) {
      String row = lines.get(i + 1);
      String pad = " ".repeat(width - room - row.length());
      line(row + pad + ink.refused(new Sparks(ink, width).of(offenders.get(i), room)));
    }
    if (findings.lanes().size() > 1) {
      line(ink.faint("each as told by the algorithm that refused it most"));
    }
  }

  // What would suit

  private void use() {
    List<String> lines = Use.lines(findings.distributions(), width);
    line(ink.faint(lines.get(0)));
    lines.subList(1, lines.size()).forEach(this::line);
  }

  private void proposals() {
    int widest =
        findings.proposals().stream().mapToInt(one -> one.limit().length()).max().orElse(0);
    for (Findings.Proposal one : findings.proposals()) {
      paragraph(one.limit() + " ".repeat(widest - one.limit().length() + 2), one.price());
    }
  }

  // Lines

  /** A sentence, broken where it is too long; what follows the first line stands below it. */
  private void paragraph(String lead, String sentence) {
    StringBuilder line = new StringBuilder(lead);
    boolean first = true;
    for (String word : NUMBER_AND_UNIT.matcher(sentence).replaceAll("\u00a0").split(" ", -1)) {
      if (!first && line.length() + 1 + word.length() > width) {
        line(line.toString());
        line.setLength(0);
        line.append(" ".repeat(lead.length()));
        first = true;
      }
      line.append(first ? "" : " ").append(word);
      first = false;
    }
    line(line.toString());
  }

  private void line(String line) {
    text.append(line.replace('\u00a0', ' ').stripTrailing()).append('\n');
  }
}
