package dev.stint.studio.report;

import dev.stint.lab.Chromium;
import java.time.Duration;
import java.util.List;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.PointerInput;
import org.openqa.selenium.interactions.PointerInput.Kind;
import org.openqa.selenium.interactions.PointerInput.MouseButton;
import org.openqa.selenium.interactions.PointerInput.Origin;
import org.openqa.selenium.interactions.Sequence;

/** Moves a pointer to parts of elements, which are told as shares of their width. */
final class Mouse {

  private static final Duration STEP = Duration.ofMillis(40);

  private final Chromium browser;

  Mouse(Chromium browser) {
    this.browser = browser;
  }

  /** Rests over a point. */
  void over(WebElement element, double across, double down) {
    show(element);
    PointerInput mouse = new PointerInput(Kind.MOUSE, "mouse");
    Sequence way = new Sequence(mouse, 0);
    way.addAction(move(mouse, element, across, down));
    browser.driver().perform(List.of(way));
  }

  /** Takes hold of an element and lets it go at a share of the width of another. */
  void drag(WebElement held, WebElement over, double across) {
    drag(new PointerInput(Kind.MOUSE, "mouse"), held, over, across);
  }

  /** The same with a finger. */
  void swipe(WebElement held, WebElement over, double across) {
    drag(new PointerInput(Kind.TOUCH, "finger"), held, over, across);
  }

  private void drag(PointerInput pointer, WebElement held, WebElement over, double across) {
    show(over);
    Sequence way = new Sequence(pointer, 0);
    way.addAction(move(pointer, held, 0.5, 0.5));
    way.addAction(pointer.createPointerDown(MouseButton.LEFT.asArg()));
    way.addAction(move(pointer, over, (across + 0.5) / 2, 0.5));
    way.addAction(move(pointer, over, across, 0.5));
    way.addAction(pointer.createPointerUp(MouseButton.LEFT.asArg()));
    browser.driver().perform(List.of(way));
  }

  private void show(WebElement element) {
    browser.run("arguments[0].scrollIntoView({block: 'center'})", element);
  }

  /** The driver counts from an element's middle. */
  private static org.openqa.selenium.interactions.Interaction move(
      PointerInput pointer, WebElement element, double across, double down) {
    Rectangle box = element.getRect();
    return pointer.createPointerMove(
        STEP,
        Origin.fromElement(element),
        (int) ((across - 0.5) * box.width),
        (int) ((down - 0.5) * box.height));
  }
}
