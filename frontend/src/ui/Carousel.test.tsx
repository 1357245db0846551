import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Carousel } from "./Carousel";

const slides = ["a", "b", "c"].map((id) => ({ id, content: <p>slide {id}</p> }));
const label = (number: number, count: number) => `Event ${number} of ${count}`;

test("a dot shows its slide", async () => {
  Element.prototype.scrollTo = () => {};
  render(<Carousel label="Events" slideLabel={label} slides={slides} />);
  expect(screen.getByRole("button", { name: "Event 1 of 3" })).toHaveAttribute("aria-current", "true");
  await userEvent.click(screen.getByRole("button", { name: "Event 3 of 3" }));
  expect(screen.getByRole("button", { name: "Event 3 of 3" })).toHaveAttribute("aria-current", "true");
});

test("one slide alone has no dots", () => {
  render(<Carousel label="Events" slideLabel={label} slides={slides.slice(0, 1)} />);
  expect(screen.getByText("slide a")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
