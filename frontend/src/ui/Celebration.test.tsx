import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Celebration } from "./Celebration";

afterEach(() => vi.unstubAllGlobals());

test("the figure stands there at once, among at most 60 pieces of confetti", () => {
  const { container } = render(<Celebration page world="ajua" figure="KES 500.00" title="Thank you!" />);
  expect(screen.getByRole("heading", { name: "Thank you!" })).toBeVisible();
  expect(screen.getByText("KES 500.00")).toBeVisible();
  const pieces = container.querySelectorAll("[data-shape]").length;
  expect(pieces).toBeGreaterThan(0);
  expect(pieces).toBeLessThanOrEqual(60);
});

test("under reduced motion it is a still picture", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { container } = render(<Celebration world="ajua" figure="KES 500.00" title="Thank you!" />);
  expect(screen.getByText("KES 500.00")).toBeVisible();
  expect(container.querySelectorAll("[data-shape]")).toHaveLength(0);
});
