package dev.stint.studio.recommend;

import dev.stint.Limit;
import dev.stint.studio.cli.Span;
import dev.stint.studio.log.Unreadable;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which limits to take: one over a long span against those who never stop, and beside it one over a
 * short span against bursts, if it has work to do.
 *
 * <p>All proposals are noticed by equally few clients. Of two for the same work the better one is
 * therefore the one that refuses more; of equals, the one over the longer span, which holds its
 * clients to less.
 *
 * <p>Two limits that few clients notice, each other ones, may together be noticed by too many. So
 * the short one is looked for again beside the long one. A pair refuses exactly the clients that
 * one of its limits alone refuses: until a client's first refusal both have counted all that it
 * did, together as alone.
 */
record Choice(List<Tried> taken) {

  private static final Comparator<Tried> BETTER =
      Comparator.comparingLong(Tried::refused).thenComparingLong(Tried::span);

  /** Shares that are suggested in place of one that means everybody. */
  private static final List<BigDecimal> LOWER_SHARES =
      Stream.of("99.5", "99", "98", "95", "90", "80").map(BigDecimal::new).toList();

  /** So many clients must be left out by them, for one alone may be a chance. */
  private static final int SOME = 2;

  /** Finds limits over short spans that suit beside another limit. */
  interface Beside {
    List<Tried> find(Tried lasting) throws Unreadable;
  }

  /** The best of them; empty if there is none. */
  static Choice of(List<Tried> proposals, Beside beside) throws Unreadable {
    Optional<Tried> lasting = best(proposals.stream().filter(one -> one.span() >= Span.MINUTE));
    if (lasting.isEmpty()) {
      return new Choice(best(proposals.stream()).stream().toList());
    }
    Optional<Tried> brief = best(beside.find(lasting.get()).stream());
    return new Choice(
        brief.isPresent() ? needed(brief.get(), lasting.get()) : List.of(lasting.get()));
  }

  private static Optional<Tried> best(Stream<Tried> proposals) {
    return proposals.max(BETTER);
  }

  /** Both of them, unless one says already what the other does. */
  private static List<Tried> needed(Tried brief, Tried lasting) {
    long most = brief.limit().amount() * (lasting.span() / brief.span());
    if (lasting.limit().amount() <= brief.limit().amount()) {
      return List.of(lasting);
    }
    return lasting.limit().amount() < most ? List.of(brief, lasting) : List.of(brief);
  }

  /** Whom it refuses. */
  BitSet whom() {
    BitSet all = new BitSet();
    taken.forEach(one -> all.or(one.whom()));
    return all;
  }

  List<Limit> limits() {
    return taken.stream().map(Tried::limit).toList();
  }

  /** What is to be known of a limit that is higher here than where it was proposed alone. */
  Optional<String> raised(List<Tried> proposals) {
    for (Tried alone : proposals) {
      for (Tried here : taken) {
        if (here.span() == alone.span() && here.limit().amount() > alone.limit().amount()) {
          return Optional.of(
              alone.limit()
                  + " keeps the share alone but not together with "
                  + taken.get(taken.size() - 1).limit()
                  + "; so "
                  + here.limit()
                  + " is taken");
        }
      }
    }
    return Optional.empty();
  }

  /** Which one to take, and why, in a sentence. */
  String verdict(Survey survey, BigDecimal share) {
    String limits =
        limits().stream().map(Limit::toString).collect(Collectors.joining(" together with "));
    String why =
        whom().isEmpty()
            ? "it refuses nobody here" + whyNobody(survey, share)
            : Tried.price(whom(), survey);
    return "Take " + limits + ": " + why + ".";
  }

  private static String whyNobody(Survey survey, BigDecimal share) {
    int keys = survey.keys();
    if (!survey.somebodyStandsOut()) {
      return ", for no client stands out from the others";
    }
    if (Percent.of(share, keys) < keys) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        ", for %s of %,d client%s is all of them, so the busiest set the limits%s",
        Percent.text(share),
        keys,
        keys == 1 ? "" : "s",
        LOWER_SHARES.stream()
            .filter(lower -> keys - Percent.of(lower, keys) >= SOME)
            .findFirst()
            .map(lower -> "; try --share " + lower + " to leave some out")
            .orElse(""));
  }
}
