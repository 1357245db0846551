import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { paths } from "@/app/paths";
import { hasOnboarded } from "@/lib/session/session";
import { renderRoutes } from "@/test/render";
import { Welcome } from "./welcome";

const TITLES = ["Play games you know", "Climb the board", "Cash out to M-Pesa"];

function open(address = "/") {
  const router = renderRoutes(
    [
      { path: paths.home, element: <Welcome /> },
      { path: paths.login, element: "login screen" },
    ],
    [address],
  );
  return { user: userEvent.setup(), router };
}

const titled = (name: string) => screen.findByRole("heading", { name });

/** Scrolls the slides to one of them, as a finger does. */
function swipeTo(slide: number) {
  const track = screen.getByRole("main").querySelector("ul");
  if (!track) throw new Error("there is no carousel");
  Object.defineProperty(track, "clientWidth", { value: 360, configurable: true });
  Object.defineProperty(track, "scrollLeft", { value: (slide - 1) * 360, configurable: true });
  fireEvent.scroll(track);
}

test("the welcome names the product and leads through three slides to the login", async () => {
  const { user } = open();
  expect(screen.getByRole("heading", { name: "Welcome to PlayOn" })).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Get Started" }));
  for (const title of TITLES) {
    expect(await titled(title)).toBeVisible();
    expect(hasOnboarded()).toBe(false);
    await user.click(screen.getByRole("button", { name: "Next" }));
  }
  expect(await screen.findByText("login screen")).toBeVisible();
  expect(hasOnboarded()).toBe(true);
});

test("who has read the slides is shown the sign-up, and who wants to try a game first skips them", async () => {
  const { user, router } = open("/?slide=3");
  await user.click(await screen.findByRole("button", { name: "Next" }));
  await screen.findByText("login screen");
  expect(router.state.location.state).toEqual({ isNewcomer: true });
  await router.navigate("/");
  expect(await screen.findByRole("link", { name: "Try a game first" })).toHaveAttribute("href", "/?try");
});

test("Skip leads to the login, and back from there does not show a slide again", async () => {
  const { user, router } = open("/?slide=2");
  await user.click(await screen.findByRole("button", { name: "Skip" }));
  expect(await screen.findByText("login screen")).toBeVisible();
  expect(router.state.historyAction).toBe("REPLACE");
  expect(hasOnboarded()).toBe(true);
});

test("a swipe to either side changes the slide and its address", async () => {
  const { router } = open("/?slide=2");
  await titled("Climb the board");
  swipeTo(3);
  expect(await titled("Cash out to M-Pesa")).toBeVisible();
  expect(router.state.location.search).toBe("?slide=3");
  swipeTo(2);
  expect(await titled("Climb the board")).toBeVisible();
});

test("a dot opens its slide, and the current one is marked", async () => {
  const { user } = open("/?slide=1");
  expect(await screen.findByRole("button", { name: "Slide 1 of 3" })).toHaveAttribute("aria-current", "true");
  await user.click(screen.getByRole("button", { name: "Slide 3 of 3" }));
  expect(await titled("Cash out to M-Pesa")).toBeVisible();
  expect(screen.getByRole("button", { name: "Slide 3 of 3" })).toHaveAttribute("aria-current", "true");
});

test("an address with an unknown slide opens the welcome", () => {
  open("/?slide=4");
  expect(screen.getByRole("heading", { name: "Welcome to PlayOn" })).toBeVisible();
});
