import { act, render, screen } from "@testing-library/react";
import { Profiler } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Countdown, TickingText } from "./Countdown";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-05-01T10:00:00Z") }));
afterEach(() => void vi.useRealTimers());

test("it counts hours, minutes and seconds down, and stops at nothing", () => {
  render(<Countdown until={new Date("2026-05-01T12:14:36Z")} label={(ms) => `${ms} ms`} />);
  expect(screen.getByRole("timer")).toHaveTextContent("021436");
  act(() => void vi.advanceTimersByTime(1000));
  expect(screen.getByRole("timer")).toHaveTextContent("021435");
  act(() => void vi.advanceTimersByTime(3 * 60 * 60_000));
  expect(screen.getByRole("timer")).toHaveTextContent("000000");
});

test("from one day on it counts days, hours and minutes", () => {
  render(<Countdown until={new Date("2026-05-03T02:30:00Z")} label={() => "Starts soon"} />);
  expect(screen.getByRole("timer", { name: "Starts soon" })).toHaveTextContent("011630");
});

test("with their signs, days cannot be taken for hours", () => {
  const units = ["d", "h", "m"] as const;
  render(<Countdown until={new Date("2026-05-02T10:00:01Z")} label={() => "Starts soon"} units={units} />);
  expect(screen.getByRole("timer")).toHaveTextContent("01d00h00m");
  act(() => void vi.advanceTimersByTime(2000));
  expect(screen.getByRole("timer")).toHaveTextContent(/^235959$/);
});

test("all countdowns of a page share one timer, and a tick renders nothing", () => {
  const rendered = vi.fn();
  const until = new Date("2026-05-01T12:00:00Z");
  render(
    <Profiler id="page" onRender={rendered}>
      <Countdown until={until} label={(ms) => `${ms} ms`} />
      <TickingText textAt={(now) => `${(until.getTime() - now) / 1000} s`} />
    </Profiler>,
  );
  expect(vi.getTimerCount()).toBe(1);
  act(() => void vi.advanceTimersByTime(3000));
  expect(screen.getByRole("timer")).toHaveTextContent("015957");
  expect(screen.getByText("7197 s")).toBeVisible();
  expect(rendered).toHaveBeenCalledTimes(1);
});
