import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { InitialEntry } from "react-router";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { addTexts, changeLanguage } from "@/lib/i18n/i18n";
import { dropSession, saveSession } from "@/lib/session/session";
import { aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as NotFound } from "./not-found";
import { Component as Privacy } from "./privacy";
import { Component as Terms } from "./terms";

const scrollIntoView = vi.fn();

function open(path: string, previous: InitialEntry[] = []) {
  return renderRoutes(
    [
      { path: paths.account, element: "account screen" },
      { path: paths.login, element: "login screen" },
      { path: paths.wallet, element: "wallet screen" },
      { path: paths.home, element: "home screen" },
      { path: paths.privacy, Component: Privacy },
      { path: paths.terms, Component: Terms },
      { path: "*", Component: NotFound },
    ],
    [...previous, path],
  );
}

beforeEach(() => {
  // jsdom has no layout.
  Element.prototype.scrollIntoView = scrollIntoView;
  scrollIntoView.mockReset();
  saveSession(aSession());
  window.history.replaceState(null, "", "/");
});

describe.each([
  ["Privacy Policy", paths.privacy],
  ["Terms of Service", paths.terms],
])("the %s", (title, path) => {
  test("lists every heading in its contents", () => {
    open(path);
    expect(screen.getByRole("heading", { level: 1, name: title })).toBeVisible();
    const links = within(screen.getByRole("navigation", { name: "Contents" })).getAllByRole("link");
    const headings = screen.getAllByRole("heading", { level: 2 });
    expect(links.map((link) => link.textContent)).toEqual(headings.map((heading) => heading.textContent));
    for (const [index, link] of links.entries()) {
      const chapter = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
      expect(chapter).toContainElement(headings[index] ?? null);
    }
  });

  test("returns a player to the account, from wherever it was opened", async () => {
    saveSession(aSession());
    const user = userEvent.setup();
    open(path, [paths.wallet]);
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("account screen")).toBeVisible();
  });

  test("returns a guest to the screen before it, which has the form that was begun", async () => {
    dropSession();
    const user = userEvent.setup();
    const router = open(path, [paths.login]);
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("login screen")).toBeVisible();
    expect(router.state.historyAction).toBe("POP");
  });
});

test("a chapter link scrolls to the heading, focuses it and sets the hash without a history entry", async () => {
  const user = userEvent.setup();
  open(paths.privacy);
  await user.click(screen.getByRole("link", { name: "Your rights" }));
  expect(scrollIntoView.mock.contexts).toEqual([document.getElementById("your-rights")]);
  expect(screen.getByRole("heading", { name: "Your rights" })).toHaveFocus();
  expect(window.location.hash).toBe("#your-rights");
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByText("account screen")).toBeVisible();
});

test("an address with a hash scrolls to that chapter", () => {
  window.history.replaceState(null, "", "#your-rights");
  open(paths.privacy);
  expect(scrollIntoView.mock.contexts).toEqual([document.getElementById("your-rights")]);
});

test.each([
  [paths.privacy, "Last updated 26 July 2019"],
  [paths.privacy, /social gaming company/],
  [paths.privacy, /18 or older/],
  [paths.privacy, /shared with advertisers/],
  [paths.privacy, /support or data-protection contact/],
  [paths.terms, /social gaming company/],
  [paths.terms, /18 or older/],
  [paths.terms, /2 to 3 weeks/],
  [paths.terms, /shared with advertisers/],
])("%s contains what the specification requires: %s", (path, text) => {
  open(path);
  expect(screen.getAllByText(text)[0]).toBeVisible();
});

test("Page Not Found leads home", async () => {
  const user = userEvent.setup();
  open("/narnia");
  expect(screen.getByRole("heading", { level: 1, name: "Page Not Found" })).toBeVisible();
  expect(screen.getByText("Oops! It looks like you took the wrong turn.")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Home" }));
  expect(await screen.findByText("home screen")).toBeVisible();
});

test("in Swahili a legal text says that it is in English, and names its language", async () => {
  addTexts("sw", { "legal.inEnglish": "Maandishi haya yako kwa Kiingereza pekee kwa sasa." });
  await changeLanguage("sw");
  open(paths.privacy);
  expect(screen.getByText(/kwa Kiingereza/)).toBeVisible();
  expect(screen.getByRole("navigation").closest("[lang]")).toHaveAttribute("lang", "en");
  await changeLanguage("en");
});
