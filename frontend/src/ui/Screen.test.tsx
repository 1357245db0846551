import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "@/test/render";
import { Screen } from "./Screen";

afterEach(() => vi.unstubAllGlobals());

test("the primary action stays above the keyboard", () => {
  const view = Object.assign(new EventTarget(), { height: 640, offsetTop: 0, scale: 1 });
  vi.stubGlobal("innerHeight", 640);
  vi.stubGlobal("visualViewport", view);
  renderPage(
    <Screen title="Review" footer={<button type="button">Pay</button>}>
      <input />
    </Screen>,
  );
  const show = (visible: Partial<typeof view>) =>
    act(() => {
      Object.assign(view, visible);
      view.dispatchEvent(new Event("resize"));
    });
  const footer = screen.getByRole("button", { name: "Pay" }).parentElement;
  show({ height: 380 });
  expect(footer).toHaveStyle({ "--keyboard": "260px" });
  // The browser has moved the page up, to show the field.
  show({ offsetTop: 200 });
  expect(footer).toHaveStyle({ "--keyboard": "60px" });
  show({ height: 640, offsetTop: 0 });
  expect(footer).toHaveStyle({ "--keyboard": "0px" });
  // Zoom makes the visible part smaller, too.
  show({ height: 320, scale: 2 });
  expect(footer).toHaveStyle({ "--keyboard": "0px" });
});

test("a browser that does not know the visible part shows the screen", () => {
  vi.stubGlobal("visualViewport", null);
  renderPage(
    <Screen title="Review" footer="Pay">
      <input />
    </Screen>,
  );
  expect(screen.getByText("Pay")).toBeVisible();
});
