import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { PLAY_PATH } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { tournamentPaths } from "@/app/tournamentPaths";
import * as navigation from "@/lib/navigation";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { standingsLive } from "@/test/live";
import { aBalance, aGame, aTournament } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as Home } from "./home";

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const game = aGame({ description: "Sow and catch." });
const cup = aTournament({ id: "t1", name: "Friday Dash Cup", gameId: "g2" });

const anEvent = {
  id: "e1",
  createdAt: "2026-11-20T10:00:00.000Z",
  title: "400 new words",
  description: "In Maneno from Monday.",
  eventBannerUrl: "",
};

interface Served {
  readonly games?: readonly object[];
  readonly recent?: readonly object[];
  readonly events?: readonly object[];
  readonly tournaments?: readonly object[];
}

function open({ games = [game], recent = [], events = [], tournaments = [] }: Served = {}) {
  return openWith(games, {
    "GET /profile/recent-games": () => ({ statusCode: 200, payload: recent }),
    "GET /events": () => ({ statusCode: 200, payload: events }),
    "GET /tournaments": () => ({ statusCode: 200, payload: tournaments }),
  });
}

function openWith(games: readonly object[], handlers: Parameters<typeof stubGateway>[0]) {
  const calls = stubGateway({
    ...handlers,
    "GET /games/list": () => ({ statusCode: 200, payload: games }),
    "GET /wallets/balance": () => ({ statusCode: 200, payload: aBalance(1250, { available: 900 }) }),
  });
  const router = renderRoutes(
    [
      { path: paths.dashboard, Component: Home },
      { path: PLAY_PATH, element: <p>the game</p> },
    ],
    [paths.dashboard],
  );
  return { calls, router };
}

function signIn() {
  saveSession(aSession());
  savePlayer(aPlayer());
}

/** Opens the side menu, whose code is loaded on the press. */
async function openMenu() {
  await userEvent.click(screen.getByRole("button", { name: "Open menu" }));
  return within(await screen.findByRole("dialog", { name: "Menu" }));
}

afterEach(() => vi.unstubAllGlobals());

test("a player is greeted by the first name, with the balance as the way to the wallet", async () => {
  signIn();
  open();
  expect(screen.getByRole("heading", { name: "Hi Wanjiru" })).toBeVisible();
  const pill = await screen.findByRole("link", { name: "Your balance: KES 1,250.00. Open your wallet" });
  expect(pill).toHaveAttribute("href", paths.wallet);
});

test("a featured game leads to its details, with all games one tap away", async () => {
  signIn();
  open({ games: [{ ...game, featured: true }, aGame({ id: "g2", name: "Maneno" })] });
  const section = await screen.findByRole("region", { name: "Featured Games" });
  const card = await within(section).findByRole("link", { name: /^Ajua Sow and catch/ });
  expect(card).toHaveAttribute("href", "/games/g1");
  expect(within(section).queryByText("Maneno")).toBeNull();
  expect(within(section).getByRole("link", { name: "See all" })).toHaveAttribute("href", paths.games);
});

test("the games that were played last stand in their order, and none of them says so", async () => {
  signIn();
  open({ recent: [aGame({ id: "g3", name: "Duma Dash" }), game] });
  const section = await screen.findByRole("region", { name: "Recently played" });
  await within(section).findByRole("link", { name: "Ajua" });
  expect(
    within(section)
      .getAllByRole("link")
      .map((link) => link.textContent),
  ).toEqual(["Duma Dash", "Ajua"]);
});

test("a player who has not played yet reads that", async () => {
  signIn();
  open();
  expect(await screen.findByText("The games you play appear here.")).toBeVisible();
});

test("an event opens in full, by the banner's own entry in the history", async () => {
  signIn();
  open({ events: [anEvent] });
  await userEvent.click(await screen.findByRole("button", { name: /400 new words/ }));
  const dialog = await screen.findByRole("dialog", { name: "400 new words" });
  expect(within(dialog).getByText("In Maneno from Monday.")).toBeVisible();
  await userEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
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
  expect(strip).toHaveTextContent("KES 5,000.00");
  expect(within(strip).getByRole("link", { name: "Play" })).toHaveAttribute(
    "href",
    "/games/g2?tournamentId=t1",
  );
  expect(within(strip).getByRole("link", { name: "Friday Dash Cup" })).toHaveAttribute(
    "href",
    paths.tournaments,
  );
  expect(screen.queryByRole("region", { name: "Ajua Sunday League" })).toBeNull();
});

test("the own rank follows the live stream on home", async () => {
  signIn();
  open({ tournaments: [cup] });
  const strip = await screen.findByRole("region", { name: "Friday Dash Cup" });
  expect(within(strip).getByText("1,284 players")).toBeVisible();
  await waitFor(() => expect(standingsLive.watches.has("t1")).toBe(true));
  act(() => standingsLive.say("t1", { rank: 9, points: 10, players: 1284 }));
  expect(await within(strip).findByText("You are 9th of 1,284")).toBeVisible();
  act(() => standingsLive.say("t1", { rank: 4, points: 20, players: 1285 }));
  expect(await within(strip).findByText("You are 4th of 1,285")).toBeVisible();
  expect(within(strip).getByText("Up 5 places")).toBeInTheDocument();
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
    "GET /profile/recent-games": () => ({ statusCode: 200, payload: [] }),
    "GET /events": () => ({ statusCode: 200, payload: [] }),
    "GET /wallets/balance": () => ({ statusCode: 200, payload: aBalance(1250, { available: 900 }) }),
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

test("a guest is one tap from a practice run, and sees no recent games", async () => {
  const { router } = open({ games: [aGame({ gameUrl: "https://games.example/play/ajua/" })] });
  expect(await screen.findByRole("heading", { name: "Try Ajua" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Recently played" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Practice" }));
  expect(await screen.findByText("the game")).toBeVisible();
  const gameUrl = "https://games.example/play/ajua/?game=g1&lang=en&guest=1#go=1";
  expect(router.state.location).toMatchObject({ pathname: "/games/g1/play", state: { gameUrl } });
  expect(router.state.historyAction).toBe("PUSH");
});

test("a guest is asked to sign in, and no balance is fetched", async () => {
  open({ tournaments: [{ ...cup, starts: hours(1), ends: hours(2) }] });
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", paths.login);
  expect(await screen.findByRole("link", { name: "Sign in to enter" })).toBeVisible();
  expect(screen.queryByRole("link", { name: /Your balance/ })).toBeNull();
});

test("the side menu leads to eight screens, and shows the version", async () => {
  signIn();
  open();
  const menu = await openMenu();
  const entries = within(menu.getByRole("navigation", { name: "Menu" })).getAllByRole("link");
  await waitFor(() => expect(menu.getByRole("link", { name: /^Wallet/ })).toHaveTextContent("KES 1,250.00"));
  expect(entries.map((entry) => [entry.textContent, entry.getAttribute("href")])).toEqual([
    ["Tournaments", paths.tournaments],
    ["PlayOn TV", paths.tv],
    ["Chat rooms", paths.chatRooms],
    ["Subscriptions", paths.subscriptions],
    ["WalletKES 1,250.00", paths.wallet],
    ["Hall of fame", tournamentPaths.hallOfFame],
    ["Boost a friend", paths.boost],
    ["Contact us", paths.feedback],
  ]);
  expect(menu.getByText("Version 2.0")).toBeVisible();
});

test("Logout in the side menu ends the session and leads to the login", async () => {
  const opened = vi.spyOn(navigation, "hardNavigate").mockImplementation(() => {});
  signIn();
  const { calls } = openWith([game], {
    "GET /profile/recent-games": () => ({ statusCode: 200, payload: [] }),
    "GET /events": () => ({ statusCode: 200, payload: [] }),
    "GET /tournaments": () => ({ statusCode: 200, payload: [] }),
    "POST /auth/sign-out": () => ({ statusCode: 200 }),
  });
  const menu = await openMenu();
  await userEvent.click(menu.getByRole("button", { name: "Logout" }));
  await waitFor(() => expect(opened).toHaveBeenCalledExactlyOnceWith(paths.login));
  expect(calls.filter(({ path }) => path === "/auth/sign-out")).toHaveLength(1);
  expect(currentSession()).toBeNull();
});

test("a guest's side menu leads to the login in place of Logout", async () => {
  open();
  const menu = await openMenu();
  expect(menu.getByRole("link", { name: "Log In" })).toHaveAttribute("href", paths.login);
  expect(menu.queryByRole("button", { name: "Logout" })).toBeNull();
});
