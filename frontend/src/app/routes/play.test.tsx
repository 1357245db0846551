import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { gamePath, PLAY_PATH, pathFromGame, playPath } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { isCheckDue } from "@/features/spending/playTime";
import { clearSession, savePlayer, saveSession } from "@/lib/session/session";
import { deviceStorage } from "@/lib/storage";
import { stubGateway } from "@/test/gateway";
import { aGame } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as PlayScreen } from "./play";

const ORIGIN = "https://ajua.games.example";
const RUN = `${ORIGIN}/play/ajua/?username=p1#session=s1`;

function open(state: unknown = { gameUrl: RUN, isRun: false }) {
  stubGateway({ "GET /games/get/g1": () => ({ statusCode: 200, payload: aGame() }) });
  return renderRoutes(
    [
      { path: PLAY_PATH, Component: PlayScreen },
      { path: paths.game, element: <p>details</p> },
      { path: paths.home, element: <p>home</p> },
    ],
    [paths.home, { pathname: playPath("g1"), state }],
  );
}

/** The game's frame, and a way for its page to say something to the app. */
async function gameOf() {
  const frame = await screen.findByTitle<HTMLIFrameElement>("Ajua");
  const page = frame.contentWindow;
  if (!page) throw new Error("a frame without a page");
  const answered = vi.spyOn(page, "postMessage").mockImplementation(() => {});
  const say = (data: unknown, from: object = {}) =>
    act(() => {
      fireEvent(window, new MessageEvent("message", { data, source: page, origin: ORIGIN, ...from }));
    });
  return { frame, answered, say };
}

afterEach(() => {
  vi.useRealTimers();
  clearSession();
  deviceStorage.clear();
});

test("a game runs in a frame that can neither leave its origin nor open a window", async () => {
  open();
  const { frame } = await gameOf();
  expect(frame.getAttribute("src")).toBe(RUN);
  expect(frame.getAttribute("sandbox")).toBe("allow-scripts allow-same-origin");
  expect(frame.getAttribute("referrerpolicy")).toBe("no-referrer");
  expect(screen.getByText("Starting Ajua")).toBeVisible();
  await waitFor(() => expect(document.title).toContain("Ajua"));
});

test("a game gets what the phone keeps for it, and keeps more", async () => {
  open();
  const { answered, say } = await gameOf();
  say({ playon: "keep", key: "playon.game.ajua", text: '{"best":12}' });
  say({ playon: "open" });
  const kept = { "playon.game.ajua": '{"best":12}' };
  expect(answered).toHaveBeenCalledExactlyOnceWith({ playon: "opened", kept }, ORIGIN);
  expect(screen.queryByText("Starting Ajua")).toBeNull();
});

test("only the game's page is heard, and only what games say", async () => {
  const router = open();
  const { answered, say } = await gameOf();
  say({ playon: "open" }, { origin: "https://evil.example" });
  say({ playon: "open" }, { source: window });
  say({ playon: "leave" });
  say({ playon: "token" });
  say("open");
  say(null);
  expect(answered).not.toHaveBeenCalled();
  expect(router.state.location.pathname).toBe("/games/g1/play");
});

test("a game leads to a page of the app in its own place in the history", async () => {
  const router = open();
  const { say } = await gameOf();
  say({ playon: "leave", url: `${window.location.origin}/games/g1?play=1` });
  expect(await screen.findByText("details")).toBeVisible();
  expect(router.state.location.search).toBe("?play=1");
  expect(router.state.historyAction).toBe("REPLACE");
});

test.each([
  ["/", "/"],
  ["/games/g2", "/games/g2"],
  ["/tournaments/leaderboard/c1", "/tournaments/leaderboard/c1"],
  ["/register?from=%2Fgames%2Fg1%3Fplay%3D1", "/register?from=%2Fgames%2Fg1%3Fplay%3D1"],
  ["/account/payment/review", "/games/g1"],
  ["/confirm-email?token=x", "/games/g1"],
  ["/api/auth/login", "/games/g1"],
  ["//evil.example/games/g1", "/games/g1"],
  ["https://evil.example/", "/games/g1"],
  ["javascript:alert(1)", "/games/g1"],
])("a game that leads to %s opens %s", (url, path) => {
  const absolute = url.startsWith("/") && !url.startsWith("//") ? window.location.origin + url : url;
  expect(pathFromGame(absolute, "g1")).toBe(path);
});

test("a run has an entry of its own: Back pauses it, and the next page takes the game's place", async () => {
  const router = open();
  const { answered, say } = await gameOf();
  say({ playon: "run" });
  await waitFor(() => expect(router.state.location.state).toEqual({ gameUrl: RUN, isRun: true }));
  say({ playon: "run" });
  expect(router.state.historyAction).toBe("PUSH");
  await act(() => router.navigate(-1));
  expect(answered).toHaveBeenCalledExactlyOnceWith({ playon: "back" }, ORIGIN);

  say({ playon: "run" });
  await waitFor(() => expect(router.state.location.state).toMatchObject({ isRun: true }));
  say({ playon: "leave", url: `${window.location.origin}/games/g1` });
  expect(await screen.findByText("details")).toBeVisible();
  expect(router.state.historyAction).toBe("REPLACE");
  expect(answered).toHaveBeenCalledOnce();
  await act(() => router.navigate(-1));
  expect(await screen.findByText("home")).toBeVisible();
});

test("Back without a run to pause leaves the game", async () => {
  open();
  const { say } = await gameOf();
  say({ playon: "back" });
  expect(await screen.findByText("home")).toBeVisible();
});

test("what another window keeps for the game is told", async () => {
  open();
  const { answered } = await gameOf();
  for (const key of ["game:g1:run", "game:g2:run", "language"])
    fireEvent(window, new StorageEvent("storage", { key, newValue: "new" }));
  expect(answered).toHaveBeenCalledExactlyOnceWith({ playon: "kept", key: "run", text: "new" }, ORIGIN);
});

test("after the end of a run the game stays, and a reload leads to the details", async () => {
  const router = open();
  const { frame, say } = await gameOf();
  say({ playon: "over" });
  await waitFor(() => expect(router.state.location.state).toEqual({ gameUrl: null, isRun: false }));
  expect(screen.getByTitle("Ajua")).toBe(frame);
  expect(frame.getAttribute("src")).toBe(RUN);
});

test.each([null, { gameUrl: null, isRun: false }])(
  "without a game to open (%o), the address leads to the details",
  async (state) => {
    const router = open(state);
    expect(await screen.findByText("details")).toBeVisible();
    expect(router.state.location.pathname).toBe(gamePath("g1"));
  },
);

/** Lets this much play be counted before the screen opens. */
function played(ms: number) {
  deviceStorage.setItem("play-time", JSON.stringify({ playedMs: ms, at: Date.now() }));
}

test("after an hour of play the next run waits for a look at the time and the money", async () => {
  played(60 * 60_000);
  saveSession(aSession());
  savePlayer(aPlayer());
  const router = open();
  const spending = { limit: null, change: null };
  stubGateway({
    "GET /games/get/g1": () => ({ statusCode: 200, payload: aGame() }),
    "GET /spending": () => ({
      statusCode: 200,
      payload: [
        {
          period: "DAY",
          since: "2026-11-20T21:00:00.000Z",
          moneyIn: { ...spending, spent: 200 },
          packages: { ...spending, spent: 50 },
          won: 30,
        },
      ],
    }),
  });
  const { say } = await gameOf();
  say({ playon: "run" });
  await waitFor(() => expect(router.state.location.state).toMatchObject({ isRun: true }));
  say({ playon: "leave", url: `${window.location.origin}/games/g1?play=1` });
  expect(await screen.findByRole("heading", { name: "You have played for more than an hour" })).toBeVisible();
  expect(
    await screen.findByText("Today you paid in KES 200.00, spent KES 50.00 on packages and won KES 30.00."),
  ).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Go on playing" }));
  expect(await screen.findByText("details")).toBeVisible();
  expect(router.state.location.search).toBe("?play=1");
  // The entry of the run is gone: Back leads to the page before the game.
  await act(() => router.navigate(-1));
  expect(await screen.findByText("home")).toBeVisible();
});

test("Back after an hour of play shows the check too, and Back from there opens the page before the game", async () => {
  played(60 * 60_000);
  const router = open();
  const { say } = await gameOf();
  say({ playon: "run" });
  await waitFor(() => expect(router.state.location.state).toMatchObject({ isRun: true }));
  await act(() => router.navigate(-1));
  say({ playon: "back" });
  expect(await screen.findByRole("button", { name: "Go on playing" })).toBeVisible();
  await waitFor(() => expect(router.state.location.state).toEqual({ gameUrl: null, isRun: false }));
  await act(() => router.navigate(-1));
  expect(await screen.findByText("home")).toBeVisible();
});

test.each([
  ["an hour less a minute", 59 * 60_000],
  ["no play before", null],
])("with %s a game leads on at once", async (_what, ms) => {
  if (ms !== null) played(ms);
  open();
  const { say } = await gameOf();
  say({ playon: "leave", url: `${window.location.origin}/games/g1` });
  expect(await screen.findByText("details")).toBeVisible();
});

test("a guest who takes a break opens home, and the next hour begins", async () => {
  played(60 * 60_000);
  open();
  const { say } = await gameOf();
  say({ playon: "leave", url: `${window.location.origin}/games/g1?play=1` });
  await userEvent.click(await screen.findByRole("button", { name: "Stop for now" }));
  expect(await screen.findByText("home")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Set yourself a limit" })).toBeNull();
  expect(isCheckDue()).toBe(false);
});

test("a game that does not open in time can be tried again, or left", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open();
  const { frame } = await gameOf();
  act(() => void vi.advanceTimersByTime(20_000));
  expect(screen.getByText("We could not fetch this game from the server.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Back" })).toHaveAttribute("href", "/games/g1");
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole("button", { name: "Retry" }));
  expect(screen.getByTitle("Ajua")).not.toBe(frame);
  expect(screen.getByText("Starting Ajua")).toBeVisible();
});

test("a result is shared with its picture and a link to the game", async () => {
  const sheet = vi.fn(() => Promise.resolve());
  for (const [name, value] of [
    ["share", sheet],
    ["canShare", () => true],
  ] as const)
    Object.defineProperty(navigator, name, { value, configurable: true });
  onTestFinished(() => {
    for (const name of ["share", "canShare"]) Reflect.deleteProperty(navigator, name);
  });
  open();
  const { say } = await gameOf();
  await waitFor(() => expect(document.title).toContain("Ajua"));
  const picture = new Blob(["x"], { type: "image/jpeg" });
  say({ playon: "share", points: 1386, picture });
  const url = `${window.location.origin}/games/g1`;
  const shared = { title: "Ajua", text: "My score in Ajua: 1,386. Can you beat it?", url };
  await waitFor(() =>
    expect(sheet).toHaveBeenCalledExactlyOnceWith({ ...shared, files: [expect.any(File)] }),
  );
  // A page of a game may send anything.
  say({ playon: "share", points: 1386, picture: new Blob(["x"], { type: "text/html" }) });
  await waitFor(() => expect(sheet).toHaveBeenLastCalledWith(shared));
  say({ playon: "share", points: 1.5, picture: null });
  say({ playon: "share", points: 1, picture: "https://evil.example" });
  expect(sheet).toHaveBeenCalledTimes(2);
});
