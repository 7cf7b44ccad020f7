package dev.stint.studio.recommend;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.log.Sink;
import dev.stint.studio.log.Unreadable;

/** A log that can be read from its beginning more than once. */
interface Log extends AutoCloseable {

  /** Begins to read it, again. Keys have the same numbers each time. */
  Reading open() throws Unreadable;

  @Override
  void close();

  /** One reading: what a {@link dev.stint.studio.log.LogReader} does. */
  interface Reading extends AutoCloseable {

    String recognised();

    void read(Sink sink, Progress progress, Interruption interruption) throws Unreadable;

    String nameOf(int key);

    Findings.Source source();

    @Override
    void close();
  }
}
