package dev.stint.studio.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats that are understood; of those that fit equally well, the first is taken. */
enum Format {
  /** Also the common one, which is the same without its end. */
  COMBINED,
  COMMON,
  NGINX_JSON,
  ENVOY_JSON,
  ALB,
  NDJSON,
  CSV;

  /** As it is written on the command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The format of this word; null if it is none. */
  static @Nullable Format of(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElse(null);
  }

  /** Whether its fields are called as its writer likes. */
  boolean hasNames() {
    return this == NDJSON || this == CSV;
  }

  /**
   * Somebody who reads its lines.
   *
   * @param first the first lines
   * @throws IllegalArgumentException with a whole sentence, if they lack what is wanted
   */
  LineFormat reader(Wanted wanted, List<String> first) {
    return switch (this) {
      case COMBINED, COMMON -> new AccessFormat(wanted);
      case NGINX_JSON -> new JsonFormat(word(), Names.TIMES_OF_NGINX, wanted, first);
      case ENVOY_JSON -> new JsonFormat(word(), Names.TIMES_OF_ENVOY, wanted, first);
      case NDJSON -> new JsonFormat(word(), List.of(), wanted, first);
      case ALB -> new AlbFormat(wanted);
      case CSV -> new CsvFormat(wanted, first);
    };
  }
}
