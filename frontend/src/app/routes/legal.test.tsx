import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { InitialEntry } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as legal from "@/app/legalTexts";
import { privacy, terms } from "@/app/locales/legal.en";
import * as swahili from "@/app/locales/legal.sw";
import { paths } from "@/app/paths";
import { changeLanguage, loadTexts } from "@/lib/i18n/i18n";
import { dropSession, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
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

beforeEach(async () => {
  await loadTexts("legal");
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

describe("in Swahili", () => {
  const binding = /ya Kiingereza ndiyo yenye nguvu kisheria/;

  beforeEach(() => changeLanguage("sw"));
  afterEach(() => changeLanguage("en"));

  test.each([
    ["Sera ya Faragha", paths.privacy, "Haki zako"],
    ["Masharti ya Huduma", paths.terms, "Pochi yako"],
  ])("the text is %s, and says that the English one is binding", (title, path, chapter) => {
    open(path);
    expect(screen.getByRole("heading", { level: 1, name: title })).toBeVisible();
    expect(screen.getByRole("heading", { level: 2, name: chapter })).toBeVisible();
    expect(screen.getByText(binding)).toBeVisible();
    expect(screen.getByRole("navigation").closest("[lang]")).toHaveAttribute("lang", "sw");
  });

  test("the English text is a tap away, is named as English, and leads back", async () => {
    const user = userEvent.setup();
    open(paths.privacy);
    await user.click(screen.getByRole("button", { name: "Soma kwa Kiingereza" }));
    const heading = await screen.findByRole("heading", { level: 2, name: "Your rights" });
    expect(heading.closest("[lang]")).toHaveAttribute("lang", "en");
    expect(screen.getByText(binding).closest("[lang=en]")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Soma kwa Kiswahili" }));
    expect(await screen.findByRole("heading", { level: 2, name: "Haki zako" })).toBeVisible();
  });

  test("the Swahili text stays when the English one cannot be loaded, and a toast says why", async () => {
    vi.spyOn(legal, "loadLegalTexts").mockRejectedValue(new TypeError("lost"));
    const error = vi.spyOn(toast, "error").mockImplementation(() => {});
    const user = userEvent.setup();
    open(paths.privacy);
    await user.click(screen.getByRole("button", { name: "Soma kwa Kiingereza" }));
    await eventually(() => expect(error).toHaveBeenCalledOnce());
    expect(screen.getByRole("heading", { level: 2, name: "Haki zako" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Soma kwa Kiingereza" })).not.toHaveAttribute("aria-busy");
  });

  test("English words are named as such", () => {
    open(paths.privacy);
    expect(screen.getByText("Office of the Data Protection Commissioner")).toHaveAttribute("lang", "en");
    expect(document.body).not.toHaveTextContent("<en>");
  });
});

test("in English no text is said to be binding", () => {
  open(paths.terms);
  expect(screen.queryByRole("complementary")).toBeNull();
});

describe.each([
  ["privacy policy", privacy, swahili.privacy],
  ["terms", terms, swahili.terms],
])("the Swahili %s", (_which, english, translated) => {
  test("has the chapters of the English text, each with as many paragraphs and points", () => {
    const shape = ({ chapters }: typeof english) =>
      chapters.map(({ id, passages }) => [
        id,
        ...passages.map((passage) => (typeof passage === "string" ? "paragraph" : passage.length)),
      ]);
    expect(shape(translated)).toEqual(shape(english));
  });

  test("names the contact address and each number where the English text does", () => {
    const marks = ({ chapters }: typeof english) =>
      chapters.map(({ id, passages }) => [
        id,
        passages
          .flat()
          .join(" ")
          .match(/\{contact\}|\d+/g)
          ?.sort(),
      ]);
    expect(marks(translated)).toEqual(marks(english));
  });
});
