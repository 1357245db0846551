import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { savePlayer, saveSession } from "@/lib/session/session";
import * as toasts from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { standingsLive } from "@/test/live";
import { aBoard, aBoardEntry, aTournament } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Leaderboard } from "./Leaderboard";

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const over = { starts: hours(-3), ends: hours(-1) };

interface Served {
  readonly tournament?: object;
  readonly board?: (page: number) => object;
  readonly awards?: readonly object[];
  readonly more?: Parameters<typeof stubGateway>[0];
}

function open({ tournament = {}, board = (page) => aBoard(page, 40), awards = [], more = {} }: Served = {}) {
  const seen = stubGateway({
    "GET /tournaments/c1": () => ({ statusCode: 200, payload: aTournament(tournament) }),
    "GET /games/list": () => ({ statusCode: 200, payload: [] }),
    "GET /tournament-awards/tournament/c1": () => ({ statusCode: 200, payload: awards }),
    "POST /tournament-leaderboards/c1": ({ body }) => ({
      statusCode: 200,
      payload: board((body as { page: number }).page),
    }),
    ...more,
  });
  const screenOf = (
    <Leaderboard
      id="c1"
      passed={null}
      back="/tournaments"
      toGame={() => "/game"}
      toPlay={(id) => `/${id}`}
      phones="/phones"
    />
  );
  const router = renderRoutes(
    [
      { path: "/", element: screenOf },
      { path: "/g1", element: <p>the game</p> },
    ],
    ["/"],
  );
  return { router, pages: () => seen.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

const rows = async () =>
  within(await screen.findByRole("list", { name: "Leaderboard" })).findAllByRole("listitem");
const me = { rank: 27, points: 1973 };

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
  standingsLive.watches.clear();
});
afterEach(() => vi.unstubAllGlobals());

test("a final board says how far the player's prizes are", async () => {
  const dueAt = "2026-11-27T15:00:00.000Z";
  const prize = { amount: 500, dueAt, needsPhone: false, reason: null };
  const prizes = [
    { ...prize, state: "PENDING" },
    { ...prize, state: "PENDING", amount: 300, needsPhone: true },
    { ...prize, state: "REFUSED", amount: 200, reason: "The inputs are those of a script." },
  ] as const;
  open({
    tournament: { ...over, settled: true },
    board: (page) => aBoard(page, 40, { settled: true, prizes: [...prizes] }),
  });
  expect((await screen.findByText("You won KES 500.00")).parentElement).toHaveTextContent(
    /Your prize is paid by 27 November 2026, \d\d:00\./,
  );
  const waiting = screen.getByText("You won KES 300.00").parentElement;
  expect(waiting).toHaveTextContent("Confirm a phone for withdrawals, so that we can pay your prize.");
  expect(screen.getByRole("link", { name: "Confirm a phone" })).toHaveAttribute("href", "/phones");
  expect(screen.getByText("KES 200.00 was not given").parentElement).toHaveTextContent(
    "“The inputs are those of a script.”",
  );
});

test("the first three stand on the podium, the others below with their points to two decimals", async () => {
  open();
  const [first] = await rows();
  expect(first).toHaveTextContent("4Pplayer_41,996.00");
  expect(screen.getByText("player_1")).toBeVisible();
  expect(screen.getByText("1,999")).toHaveTextContent("1,999.00");
});

test("Load More adds the next page until the last", async () => {
  const { pages } = open();
  expect(await rows()).toHaveLength(12);
  await userEvent.click(screen.getByRole("button", { name: "Load More" }));
  await waitFor(async () => expect(await rows()).toHaveLength(27));
  await userEvent.click(screen.getByRole("button", { name: "Load More" }));
  await waitFor(async () => expect(await rows()).toHaveLength(37));
  expect(screen.queryByRole("button", { name: "Load More" })).toBeNull();
  expect(pages()).toEqual([0, 1, 2].map((page) => ({ page, pageSize: 15 })));
});

test("the own rank is pinned, and leads to the places around it without the pages between", async () => {
  const own = aBoardEntry(32, { userId: "p1" });
  const { pages } = open({
    board: (page) =>
      aBoard(page, 40, {
        me: { rank: 32, points: own.points },
        ...(page === 2 ? { content: [aBoardEntry(31), own, aBoardEntry(33)] } : {}),
      }),
  });
  await userEvent.click(await screen.findByRole("button", { name: /^32.*Show me on the board$/ }));
  const around = await screen.findByRole("list", { name: "Around you" });
  const [, ownRow] = within(around).getAllByRole("listitem");
  expect(ownRow).toHaveTextContent("You");
  await waitFor(() => expect(ownRow).toHaveFocus());
  expect(pages()).toEqual([0, 2].map((page) => ({ page, pageSize: 15 })));
});

test("the own rank follows the live stream, with how far it moved, and the board is fetched again", async () => {
  const { pages } = open({ board: (page) => aBoard(page, 40, { me }) });
  const bar = await screen.findByRole("complementary", { name: "Your rank" });
  await waitFor(() => expect(standingsLive.watches.size).toBe(1));
  act(() => standingsLive.say("c1", { ...me, players: 40 }));
  expect(within(bar).getByRole("status")).toHaveTextContent("You are 27th");
  expect(pages()).toHaveLength(1);
  act(() => standingsLive.say("c1", { rank: 4, points: 1997, players: 40 }));
  expect(within(bar).getByRole("status")).toHaveTextContent("You are 4th");
  expect(within(bar).getByText("Up 23 places")).toBeInTheDocument();
  // The table of stale queries is loaded with the first change.
  await waitFor(() => expect(pages()).toHaveLength(2));
}, 20_000);

test("after the end the awards are being given, until the stream says that the board is final", async () => {
  let settled = false;
  open({ tournament: over, board: (page) => aBoard(page, 40, { settled }) });
  expect(await screen.findByText("Awards are being given")).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Watch/ })).toBeNull();
  await waitFor(() => expect(standingsLive.watches.size).toBe(1));
  act(() => standingsLive.say("c1", { rank: 0, points: 0, players: 40 }));
  settled = true;
  act(() => standingsLive.say("c1", { rank: 0, points: 0, players: 40, settled }));
  expect(await screen.findByText("Final results")).toBeVisible();
  expect(screen.queryByText("Awards are being given")).toBeNull();
  expect(screen.getByRole("button", { name: "Watch the run of player_2" })).toBeVisible();
});

test("a run of the final podium opens in this window, and is fetched on the tap", async () => {
  const { router } = open({
    tournament: { ...over, settled: true },
    board: (page) => aBoard(page, 40, { settled: true }),
    more: {
      "GET /tournaments/c1/runs/u1": () => ({
        statusCode: 200,
        payload: {
          userId: "u1",
          gameId: "g1",
          points: 1999,
          reachedAt: hours(-2),
          watchUrl: "https://games.example/play/ajua/#watch=1&seed=7",
          hosted: true,
        },
      }),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Watch the winning run" }));
  expect(await screen.findByText("the game")).toBeVisible();
  const gameUrl = "https://games.example/play/ajua/#watch=1&seed=7&lang=en";
  expect(router.state.location.state).toMatchObject({ gameUrl });
});

test("a final board leads to the page that replays the winning runs, in the player's language", async () => {
  const checkUrl = "https://check.games.example/play/check/#tournament=c1";
  open({
    tournament: { ...over, settled: true, checkUrl },
    board: (page) => aBoard(page, 40, { settled: true }),
  });
  const link = await screen.findByRole("link", { name: /^Check this result/ });
  expect(link).toHaveAttribute("href", `${checkUrl}&lang=en`);
  expect(link).toHaveAttribute("target", "_blank");
});

test("a board that is not final has nothing to check", async () => {
  open();
  await rows();
  expect(screen.queryByRole("link", { name: /^Check this result/ })).toBeNull();
});

test("a run that is gone is said in plain words", async () => {
  const info = vi.spyOn(toasts.toast, "info").mockImplementation(() => {});
  const { router } = open({
    board: (page) =>
      aBoard(page, 40, { me: { rank: 1, points: 5 }, content: [aBoardEntry(1, { userId: "p1" })] }),
    more: {
      "GET /tournaments/c1/runs/p1": () => ({
        statusCode: 404,
        statusMessage: "No run.",
        payload: { code: "RUN_NOT_FOUND" },
      }),
    },
  });
  const [watch] = await screen.findAllByRole("button", { name: "Watch my run" });
  if (watch) await userEvent.click(watch);
  await waitFor(() => expect(info).toHaveBeenCalledWith("This run cannot be watched any more."));
  expect(router.state.location.pathname).toBe("/");
});

test("awards stand under their tiers, with their money", async () => {
  const award = (position: number, name: string, tier: string, cash: number | null) => ({
    position,
    award: { name },
    subscriptionPackage: { name: tier },
    cash,
  });
  open({ awards: [award(1, "The cup", "Gold", 2500), award(2, "KES 100", "Bronze", 100)] });
  expect(await screen.findByRole("region", { name: "Gold" })).toHaveTextContent(
    /1st.*KES 2,500\.00.*The cup/,
  );
  expect(screen.getByRole("region", { name: "Bronze" })).toHaveTextContent(/2ndKES 100\.00$/);
  expect(screen.getByRole("region", { name: "Silver" })).toHaveTextContent("As Bronze");
});

test("an empty board asks for the first score", async () => {
  open({ board: (page) => aBoard(page, 0) });
  expect(await screen.findByText("No scores yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Play" })).toHaveAttribute("href", "/game");
});

test("a board that could not be fetched says why, with Retry", async () => {
  open({
    more: { "GET /tournaments/c1": () => ({ statusCode: 404, statusMessage: "No such tournament." }) },
  });
  expect(await screen.findByText("No such tournament.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Retry" })).toBeVisible();
});

test("places and awards that could not be fetched say why in their places, each with Retry", async () => {
  const out = (statusMessage: string) => () => ({ statusCode: 400, statusMessage });
  open({
    more: {
      "POST /tournament-leaderboards/c1": out("No places."),
      "GET /tournament-awards/tournament/c1": out("No awards."),
    },
  });
  await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
  const alerts = screen.getAllByRole("alert").map(({ textContent }) => textContent);
  expect(alerts).toEqual([expect.stringContaining("No awards."), expect.stringContaining("No places.")]);
  expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(2);
});
