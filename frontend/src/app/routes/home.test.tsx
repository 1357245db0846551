import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { paths } from "@/app/paths";
import { savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aGame } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Home } from "./home";

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const game = aGame({ description: "Sow and catch." });
const cup = { id: "t1", name: "Friday Dash Cup", description: "", gameId: "g2" };

function open({ games = [game], tournaments = [] as object[] } = {}) {
  stubGateway({
    "GET /games/list": () => ({ statusCode: 200, payload: games }),
    "GET /tournaments": () => ({ statusCode: 200, payload: tournaments }),
    "GET /wallets/balance": () => ({ statusCode: 200, payload: { balance: 1250, available: 900 } }),
  });
  return renderRoutes([{ path: paths.dashboard, Component: Home }], [paths.dashboard]);
}

function signIn() {
  saveSession(aSession());
  savePlayer(aPlayer());
}

afterEach(() => vi.unstubAllGlobals());

test("a player is greeted by the first name, with the balance as the way to the wallet", async () => {
  signIn();
  open();
  expect(screen.getByRole("heading", { name: "Hi Wanjiru" })).toBeVisible();
  const pill = await screen.findByRole("link", { name: "Your balance: KES 1,250.00. Open your wallet" });
  expect(pill).toHaveAttribute("href", paths.wallet);
});

test("games are listed without a button, as none can be played yet", async () => {
  signIn();
  open();
  const card = (await screen.findByRole("heading", { name: "Ajua" })).closest("li");
  expect(card).toHaveTextContent("Sow and catch.");
  expect(within(card as HTMLElement).queryByRole("button")).toBeNull();
  expect(within(card as HTMLElement).queryByRole("link")).toBeNull();
});

test("without games home says so, and offers to look again", async () => {
  signIn();
  open({ games: [] });
  expect(await screen.findByText("We are still adding games. Maybe check back later?")).toBeVisible();
  expect(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
});

test("the tournament that is on comes before the next one, with its time left", async () => {
  signIn();
  open({
    tournaments: [
      { ...cup, id: "t2", name: "Ajua Sunday League", starts: hours(1), ends: hours(9) },
      { ...cup, starts: hours(-1), ends: hours(2.5) },
    ],
  });
  const strip = await screen.findByRole("region", { name: "Friday Dash Cup" });
  expect(within(strip).getByText("LIVE")).toBeVisible();
  expect(within(strip).getByRole("timer")).toHaveAccessibleName(/^Ends in 2 h (29|30) min$/);
  expect(within(strip).getByRole("link", { name: "Tournaments" })).toHaveAttribute("href", paths.tournaments);
  expect(screen.queryByRole("region", { name: "Ajua Sunday League" })).toBeNull();
});

test("without a tournament home says so in the same place", async () => {
  signIn();
  open();
  expect(await screen.findByRole("heading", { name: "No tournament right now" })).toBeVisible();
  expect(screen.getByText("The next tournament will appear here.")).toBeVisible();
});

test("tournaments that could not be loaded are not taken for none, and Retry fetches them", async () => {
  signIn();
  const calls = stubGateway({
    "GET /games/list": () => ({ statusCode: 200, payload: [game] }),
    "GET /wallets/balance": () => ({ statusCode: 200, payload: { balance: 1250, available: 900 } }),
    "GET /tournaments": () =>
      calls.filter(({ path }) => path === "/tournaments").length > 1
        ? { statusCode: 200, payload: [{ ...cup, starts: hours(-1), ends: hours(2) }] }
        : { statusCode: 400, statusMessage: "Out of order" },
  });
  renderRoutes([{ path: paths.dashboard, Component: Home }], [paths.dashboard]);
  expect(await screen.findByRole("heading", { name: "Tournaments did not load" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("region", { name: "Friday Dash Cup" })).toBeVisible();
});

test("a guest is asked to sign in, and no balance is fetched", async () => {
  open({ tournaments: [{ ...cup, starts: hours(1), ends: hours(2) }] });
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", paths.login);
  expect(await screen.findByRole("link", { name: "Sign in to enter" })).toBeVisible();
  expect(screen.queryByRole("link", { name: /Your balance/ })).toBeNull();
});
