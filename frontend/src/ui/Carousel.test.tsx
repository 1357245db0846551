import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Carousel } from "./Carousel";

const slides = ["a", "b", "c"].map((id) => ({ id, content: <p>slide {id}</p> }));
const label = (number: number, count: number) => `Event ${number} of ${count}`;
const dot = (number: number) => screen.getByRole("button", { name: `Event ${number} of 3` });

/** Scrolls the slides to a position, as a finger does. */
function scrollTo(position: number) {
  const track = screen.getByRole("list");
  Object.defineProperty(track, "clientWidth", { value: 300, configurable: true });
  Object.defineProperty(track, "scrollLeft", { value: position, configurable: true });
  fireEvent.scroll(track);
}

test("a dot shows its slide, and hides the others from assistive technology", async () => {
  render(<Carousel label="Events" slideLabel={label} slides={slides} />);
  expect(dot(1)).toHaveAttribute("aria-current", "true");
  await userEvent.click(dot(3));
  expect(dot(3)).toHaveAttribute("aria-current", "true");
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(screen.getByRole("listitem")).toHaveTextContent("slide c");
});

test("a swipe shows the next slide", () => {
  render(<Carousel label="Events" slideLabel={label} slides={slides} />);
  scrollTo(120);
  expect(dot(1)).toHaveAttribute("aria-current", "true");
  scrollTo(290);
  expect(dot(2)).toHaveAttribute("aria-current", "true");
});

test("on its way to a slide it does not report those that it passes", () => {
  const onShow = vi.fn();
  Element.prototype.scrollTo = () => {};
  const carousel = (shown: number) => (
    <Carousel label="Events" slideLabel={label} slides={slides} shown={shown} onShow={onShow} />
  );
  const { rerender } = render(carousel(0));
  scrollTo(0);
  rerender(carousel(2));
  scrollTo(310);
  expect(onShow).not.toHaveBeenCalled();
  scrollTo(600);
  scrollTo(310);
  expect(onShow).toHaveBeenCalledExactlyOnceWith(1);
});

test("one slide alone has no dots", () => {
  render(<Carousel label="Events" slideLabel={label} slides={slides.slice(0, 1)} />);
  expect(screen.getByText("slide a")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
