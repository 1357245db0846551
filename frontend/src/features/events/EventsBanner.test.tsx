import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Slides } from "./EventsBanner";

const events = ["Words", "Double prizes", "Sunday League"].map((title, at) => ({
  id: `e${at}`,
  createdAt: "2026-11-20T10:00:00.000Z",
  title,
  description: "More.",
  eventBannerUrl: "",
}));

const overlay = { current: undefined as string | undefined, show: vi.fn(), hide: vi.fn() };
const banner = (open?: string) => <Slides events={events} overlay={{ ...overlay, current: open }} />;
const shown = () =>
  screen
    .getAllByRole("button", { name: /^Event \d of 3$/ })
    .findIndex((dot) => dot.getAttribute("aria-current") === "true") + 1;
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

function hide(isHidden: boolean) {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(isHidden ? "hidden" : "visible");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

beforeEach(() => {
  vi.useFakeTimers();
  overlay.show.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("the next event comes every five seconds, and the first one after the last", () => {
  render(banner());
  pass(4_999);
  expect(shown()).toBe(1);
  pass(1);
  expect(shown()).toBe(2);
  pass(5_000);
  expect(shown()).toBe(3);
  pass(5_000);
  expect(shown()).toBe(1);
});

test("a dot jumps to its event, which has its full five seconds", () => {
  render(banner());
  pass(4_000);
  fireEvent.click(screen.getByRole("button", { name: "Event 3 of 3" }));
  pass(4_999);
  expect(shown()).toBe(3);
  pass(1);
  expect(shown()).toBe(1);
});

test("a tap opens the event's details, and nothing moves while they are open", async () => {
  const { rerender } = render(banner());
  fireEvent.click(screen.getByRole("button", { name: /Words/ }));
  expect(overlay.show).toHaveBeenCalledExactlyOnceWith("event:e0");
  rerender(banner("event:e0"));
  pass(20_000);
  // The page behind an open dialog is hidden from the roles.
  rerender(banner());
  expect(shown()).toBe(1);
  pass(5_000);
  expect(shown()).toBe(2);
});

test("nothing moves in a hidden tab", () => {
  render(banner());
  hide(true);
  pass(20_000);
  expect(shown()).toBe(1);
  hide(false);
  pass(5_000);
  expect(shown()).toBe(2);
});

test("nothing moves while the banner is off the screen", () => {
  let report: (entries: { isIntersecting: boolean }[]) => void = () => {};
  class Observer {
    constructor(callback: typeof report) {
      report = callback;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  render(banner());
  act(() => report([{ isIntersecting: false }]));
  pass(20_000);
  expect(shown()).toBe(1);
  act(() => report([{ isIntersecting: true }]));
  pass(5_000);
  expect(shown()).toBe(2);
});

test("nothing moves under reduced motion, and there is nothing to stop", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  render(banner());
  pass(20_000);
  expect(shown()).toBe(1);
  expect(screen.queryByRole("button", { name: "Stop the events from moving" })).toBeNull();
});

test("nothing moves when the player saves data", () => {
  vi.stubGlobal("navigator", { ...navigator, connection: { saveData: true } });
  render(banner());
  pass(20_000);
  expect(shown()).toBe(1);
});

test("nothing moves under a finger", () => {
  render(banner());
  const slide = screen.getByRole("button", { name: /Words/ });
  fireEvent.pointerDown(slide);
  pass(20_000);
  expect(shown()).toBe(1);
  fireEvent.pointerUp(slide);
  pass(5_000);
  expect(shown()).toBe(2);
});

test("the player can stop the events and let them move again", () => {
  render(banner());
  fireEvent.click(screen.getByRole("button", { name: "Stop the events from moving" }));
  pass(20_000);
  expect(shown()).toBe(1);
  fireEvent.click(screen.getByRole("button", { name: "Let the events move" }));
  pass(5_000);
  expect(shown()).toBe(2);
});
