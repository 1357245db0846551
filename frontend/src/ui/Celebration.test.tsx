import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Celebration } from "./Celebration";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("it counts up to the number, and screen readers read only the end", () => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
  const { container } = render(
    <Celebration
      page
      world="ajua"
      value={500}
      format={(kes) => `KES ${Math.round(kes)}`}
      title="Thank you!"
    />,
  );
  expect(screen.getByRole("heading", { name: "Thank you!" })).toBeVisible();
  const drawn = container.querySelector("p [aria-hidden]");
  act(() => vi.advanceTimersByTime(400));
  expect(drawn?.textContent).toMatch(/^KES (4\d\d)$/);
  act(() => vi.advanceTimersByTime(600));
  expect(drawn).toHaveTextContent("KES 500");
  expect(container.querySelectorAll("[data-shape]").length).toBeLessThanOrEqual(60);
});

test("under reduced motion it is a still picture with the final number", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { container } = render(<Celebration world="ajua" value={500} title="Thank you!" />);
  expect(container.querySelector("p [aria-hidden]")).toHaveTextContent("500");
  expect(container.querySelectorAll("[data-shape]")).toHaveLength(0);
});
