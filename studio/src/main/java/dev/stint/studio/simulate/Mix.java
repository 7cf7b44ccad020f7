package dev.stint.studio.simulate;

import java.util.List;

/** Several sources as one; of requests at the same moment that of the first source comes first. */
final class Mix implements Source {

  private final List<Source> parts;
  private Source last;

  Mix(List<Source> parts) {
    this.parts = parts;
    this.last = parts.get(0);
  }

  private Source earliest() {
    Source earliest = parts.get(0);
    for (Source part : parts) {
      if (part.next() < earliest.next()) {
        earliest = part;
      }
    }
    return earliest;
  }

  @Override
  public long next() {
    return earliest().next();
  }

  @Override
  public Request take() {
    last = earliest();
    return last.take();
  }

  @Override
  public void answered(boolean allowed, long retryAfter) {
    last.answered(allowed, retryAfter);
  }
}
