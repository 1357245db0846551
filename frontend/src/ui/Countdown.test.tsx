import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Countdown } from "./Countdown";

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
