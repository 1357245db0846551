import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { currentPlayer, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { countries, currencies } from "@/test/references";
import { renderRoutes } from "@/test/render";
import { Component as Country } from "./country";
import { Component as Currency } from "./currency";

const lists = {
  "GET /countries/list": () => ({ statusCode: 200, payload: countries }),
  "GET /currencies/list": () => ({ statusCode: 200, payload: currencies }),
};

function open(path: string, history = [paths.account, path]) {
  return renderRoutes(
    [
      { path: paths.account, element: "account screen" },
      { path: paths.dashboard, element: "home screen" },
      { path: paths.currency, Component: Currency },
      { path: paths.country, Component: Country },
    ],
    history,
  );
}

const option = (name: RegExp) => screen.findByRole("option", { name });

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer({ countryId: "UG", currencyId: "KES" }));
  vi.spyOn(toast, "success").mockImplementation(() => {});
  // jsdom has no layout.
  Element.prototype.scrollIntoView = vi.fn();
  window.scrollTo = vi.fn() as typeof window.scrollTo;
});
afterEach(() => vi.unstubAllGlobals());

describe("the country picker", () => {
  test("shows skeletons, then every country by region with the player's own marked", async () => {
    stubGateway(lists);
    open(paths.country);
    expect(screen.getByRole("status", { name: "Loading" })).toBeVisible();
    const list = await screen.findByRole("listbox", { name: "Country" });
    expect(within(list).getAllByRole("option")).toHaveLength(countries.length);
    expect(within(list).getByRole("option", { selected: true })).toHaveAccessibleName("Uganda UG");
    const europe = within(list).getByRole("group", { name: "Europe" });
    expect(within(europe).getByRole("option", { name: /Åland/ })).toBeVisible();
    expect(screen.queryByRole("status", { name: "Loading" })).toBeNull();
  });

  test("searches by name and code, ignoring case and accents, and shows the number of matches", async () => {
    const user = userEvent.setup();
    stubGateway(lists);
    open(paths.country);
    await screen.findByRole("listbox");
    const search = screen.getByPlaceholderText("Search country");
    await user.type(search, "COTE");
    expect(screen.getAllByRole("option").map((each) => each.textContent)).toEqual(["Côte d’Ivoire CI"]);
    expect(screen.getByText("1 found")).toHaveAttribute("role", "status");
    await user.clear(search);
    await user.type(search, "gbr");
    expect(screen.getAllByRole("option").map((each) => each.textContent)).toEqual(["United Kingdom GB"]);
  });

  test("shows an empty state, and clears the search", async () => {
    const user = userEvent.setup();
    stubGateway(lists);
    open(paths.country);
    await screen.findByRole("listbox");
    await user.type(screen.getByPlaceholderText("Search country"), "narnia");
    expect(screen.getByText("Oops, there's nothing here.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Clear search" }));
    expect(screen.getAllByRole("option")).toHaveLength(countries.length);
  });

  test("saves the tapped choice, shows the progress, and goes back to the account", async () => {
    const user = userEvent.setup();
    let answer: () => void = () => {};
    const saved = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const seen = stubGateway({
      ...lists,
      "PUT /profile/p1": async () => {
        await saved;
        return { statusCode: 200, payload: aPlayer({ countryId: "KE" }) };
      },
    });
    open(paths.country);
    await user.click(await option(/Kenya/));
    expect(await screen.findByText("Updating...")).toBeVisible();
    expect(screen.getByRole("listbox")).toHaveAttribute("aria-busy", "true");
    // A second tap during the save is ignored.
    await user.click(await option(/Åland/));
    answer();
    expect(await screen.findByText("account screen")).toBeVisible();
    expect(seen.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual([
      { countryId: "KE" },
    ]);
    expect(currentPlayer()?.countryId).toBe("KE");
    expect(toast.success).toHaveBeenCalledExactlyOnceWith("Your Country was updated successfully.");
  });

  test("does not go back twice when the player went back before the save was done", async () => {
    const user = userEvent.setup();
    let answer: () => void = () => {};
    const saved = new Promise<void>((resolve) => {
      answer = resolve;
    });
    stubGateway({
      ...lists,
      "PUT /profile/p1": async () => {
        await saved;
        return { statusCode: 200, payload: aPlayer({ countryId: "KE" }) };
      },
    });
    const router = open(paths.country, [paths.dashboard, paths.account, paths.country]);
    await user.click(await option(/Kenya/));
    await screen.findByText("Updating...");
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("account screen")).toBeVisible();
    answer();
    await eventually(() =>
      expect(toast.success).toHaveBeenCalledWith("Your Country was updated successfully."),
    );
    expect(currentPlayer()?.countryId).toBe("KE");
    expect(router.state.location.pathname).toBe(paths.account);
  });

  test("stays open when the save fails, so that it can be repeated", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({
      ...lists,
      "PUT /profile/p1": () => ({
        statusCode: 503,
        statusMessage: "Not now.",
        payload: { code: "UNAVAILABLE" },
      }),
    });
    open(paths.country);
    await user.click(await option(/Kenya/));
    await eventually(() => expect(screen.queryByText("Updating...")).toBeNull());
    expect(currentPlayer()?.countryId).toBe("UG");
    await user.click(await option(/Kenya/));
    await eventually(() => expect(seen.filter(({ method }) => method === "PUT")).toHaveLength(2));
  });

  test("goes back without a call when the choice is the current one", async () => {
    const user = userEvent.setup();
    const seen = stubGateway(lists);
    open(paths.country);
    await user.click(await option(/Uganda/));
    expect(await screen.findByText("account screen")).toBeVisible();
    expect(seen.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("goes home when it is the first page of a visit", async () => {
    const user = userEvent.setup();
    stubGateway(lists);
    open(paths.country, [paths.country]);
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByText("home screen")).toBeVisible();
  });
});

describe("the picker by keyboard", () => {
  test("moves through the list with the arrow keys and chooses with Enter, while the focus stays in the search", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({
      ...lists,
      "PUT /profile/p1": () => ({ statusCode: 200, payload: aPlayer({ currencyId: "EUR" }) }),
    });
    open(paths.currency);
    await screen.findByRole("listbox", { name: "Currency" });
    const search = screen.getByRole("combobox", { name: "Search currency" });
    const active = () =>
      document.getElementById(search.getAttribute("aria-activedescendant") ?? "")?.textContent;
    await user.click(search);
    await user.keyboard("{Enter}");
    expect(active()).toBeUndefined();
    await user.keyboard("{ArrowDown}");
    expect(active()).toBe("Kenyan Shilling KES");
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(active()).toBe("Uganda Shilling UGX");
    await user.keyboard("{ArrowUp}");
    expect(active()).toBe("Euro EUR");
    expect(search).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("account screen")).toBeVisible();
    expect(seen.at(-1)?.body).toEqual({ currencyId: "EUR" });
    expect(toast.success).toHaveBeenCalledWith("Your Currency was updated successfully.");
  });

  test("chooses the best match of a search with Enter", async () => {
    const user = userEvent.setup();
    const seen = stubGateway({
      ...lists,
      "PUT /profile/p1": () => ({ statusCode: 200, payload: aPlayer({ currencyId: "UGX" }) }),
    });
    open(paths.currency);
    await screen.findByRole("listbox");
    await user.type(screen.getByRole("combobox"), "ug{Enter}");
    expect(await screen.findByText("account screen")).toBeVisible();
    expect(seen.at(-1)?.body).toEqual({ currencyId: "UGX" });
  });
});

test("a list that failed to load shows the reason and can be retried", async () => {
  const user = userEvent.setup();
  let isAvailable = false;
  stubGateway({
    "GET /currencies/list": () =>
      isAvailable
        ? { statusCode: 200, payload: currencies }
        : { statusCode: 503, statusMessage: "PlayOn is being mended.", payload: { code: "UNAVAILABLE" } },
  });
  open(paths.currency);
  expect(await screen.findByText("PlayOn is being mended.")).toBeVisible();
  isAvailable = true;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await option(/Euro/)).toBeVisible();
});
