import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gamePath, PLAY_PATH } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import type { Game } from "@/entities/game/api";
import type { RoundRuns } from "@/gen/api/roundRuns";
import * as navigation from "@/lib/navigation";
import { dropSession, savePlayer, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aGame, aTournament } from "@/test/payloads";
import { aPlayer, aSession } from "@/test/players";
import { renderRoutes } from "@/test/render";
import { Component as GameScreen } from "./game";

const URL_OF_RUN = "https://games.example/play/ajua/?username=p1#session=s1";
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const cup = aTournament();
const fresh: RoundRuns = { runsLeft: 3, hasOpenRun: false, round: 0 };

const bestRun = (points: number) => ({
  userId: "p1",
  gameId: "g1",
  points,
  reachedAt: hours(-9),
  watchUrl: "https://games.example/play/ajua/#watch=1",
  hosted: true,
});

interface Visit {
  readonly at?: string;
  readonly state?: unknown;
  readonly game?: Partial<Game>;
  readonly session?: object;
  /** What is left to play in the tournament. */
  readonly left?: Partial<RoundRuns>;
  readonly tournaments?: readonly object[];
  readonly best?: number;
  readonly others?: readonly Game[];
  readonly rooms?: readonly object[];
}

function open({
  at = gamePath("g1"),
  state,
  game,
  session,
  left,
  tournaments = [],
  best,
  others = [],
  rooms = [],
}: Visit = {}) {
  const seen = stubGateway({
    "GET /games/get/g1": () => ({
      statusCode: 200,
      payload: aGame({ gameUrl: "https://games.example/play/ajua/", ...game }),
    }),
    "GET /games/list": () => ({ statusCode: 200, payload: others }),
    "GET /tournaments": () => ({ statusCode: 200, payload: tournaments }),
    "GET /chat-rooms/list": () => ({ statusCode: 200, payload: rooms }),
    "GET /games/g1/best-run": () => ({ statusCode: 200, payload: best === undefined ? null : bestRun(best) }),
    "GET /tournaments/c1/runs-left": () => ({ statusCode: 200, payload: { ...fresh, ...left } }),
    "POST /games/g1/sessions": () => ({
      statusCode: 200,
      payload: { gameUrl: URL_OF_RUN },
      ...session,
    }),
  });
  const [pathname = "", search = ""] = at.split("?");
  const router = renderRoutes(
    [
      { path: paths.game, Component: GameScreen },
      { path: PLAY_PATH, element: <p>the game</p> },
      { path: paths.dashboard, element: <p>home</p> },
      { path: paths.home, element: <p>guest home</p> },
    ],
    [{ pathname, search: search && `?${search}`, state }],
  );
  /** Waits for the screen around the game, which opens a page of the game in the place of the details. */
  const expectOpened = async (gameUrl: unknown) => {
    expect(await screen.findByText("the game")).toBeVisible();
    expect(router.state.location).toMatchObject({ pathname: "/games/g1/play", state: { gameUrl } });
    expect(router.state.historyAction).toBe("REPLACE");
  };
  return { router, expectOpened, sessions: () => seen.filter(({ method }) => method === "POST") };
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
});
afterEach(() => {
  dropSession();
  vi.unstubAllGlobals();
});

test("a game shows its name, package id and description, and a way back", async () => {
  const { router } = open();
  expect(await screen.findByRole("heading", { name: "Ajua" })).toBeVisible();
  expect(screen.getByText("ajua")).toBeVisible();
  expect(screen.getByText("Seeds and pits.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(router.state.location.pathname).toBe(paths.dashboard);
});

test("the other games are one tap away", async () => {
  open({ others: [aGame(), aGame({ id: "g2", name: "Maneno" })] });
  const section = await screen.findByRole("region", { name: "More games" });
  expect(
    within(section)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href")),
  ).toEqual(["/games/g2"]);
});

test("players who talk about the game are one tap away, and those of other games are not shown", async () => {
  const bench = {
    id: "r1",
    chatRoomUid: "bench",
    name: "The Ajua bench",
    icon: "/content/room-ajua.svg",
    memberCount: 12,
    onlineMemberCount: 3,
    gameId: "g1",
    membership: { unreadCount: 0, lastMessage: null },
  };
  const others = [
    { ...bench, id: "r2", name: "Maneno club", gameId: "g2" },
    { ...bench, id: "r3", name: "Karibu", gameId: null },
  ];
  open({ rooms: [bench, ...others] });
  const section = await screen.findByRole("region", { name: "Talk about it" });
  const link = within(section).getByRole("link", { name: /The Ajua bench.*12 members.*3 online/ });
  expect(link).toHaveAttribute("href", "/chat-room/bench");
  expect(within(section).getAllByRole("listitem")).toHaveLength(1);
});

test("nothing of the trailer is loaded before a tap, and one tap closes it again", async () => {
  open({ game: { trailerLink: "https://youtu.be/dQw4w9WgXcQ?t=3" } });
  const trailer = await screen.findByRole("button", { name: "Trailer" });
  expect(document.querySelector("iframe")).toBeNull();
  await userEvent.click(trailer);
  expect(screen.getByTitle("Trailer of Ajua")).toHaveAttribute(
    "src",
    expect.stringMatching(/^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?/),
  );
  await userEvent.click(screen.getByRole("button", { name: "Close the trailer" }));
  expect(document.querySelector("iframe")).toBeNull();
});

test("a link that names no video has no trailer", async () => {
  open({ game: { trailerLink: "https://example.com/trailer" } });
  await screen.findByRole("heading", { name: "Ajua" });
  expect(screen.queryByRole("button", { name: "Trailer" })).toBeNull();
});

test("Play now opens a session and then the game in the same window", async () => {
  const { sessions, expectOpened } = open();
  await userEvent.click(await screen.findByRole("button", { name: "Play now" }));
  await expectOpened(`${URL_OF_RUN}&lang=en`);
  expect(sessions().map(({ body }) => body)).toEqual([{}]);
});

test("another company's game opens in the app's place, and after the way back Play now can be pressed again", async () => {
  const left = vi.spyOn(navigation, "leaveApp").mockImplementation(() => {});
  open({ game: { hosted: false } });
  await userEvent.click(await screen.findByRole("button", { name: "Play now" }));
  await waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith(`${URL_OF_RUN}&lang=en`));
  expect(screen.getByRole("button", { name: "Play now" })).toHaveAttribute("aria-busy", "true");
  fireEvent(window, Object.assign(new Event("pageshow"), { persisted: true }));
  expect(screen.getByRole("button", { name: "Play now" })).not.toHaveAttribute("aria-busy");
});

test("a game with levels is played at the level that the player chose, also the next time", async () => {
  const { sessions } = open({ game: { levels: 3 } });
  await userEvent.click(await screen.findByRole("radio", { name: "Hard" }));
  await userEvent.click(screen.getByRole("button", { name: "Play now" }));
  await waitFor(() => expect(sessions()[0]?.body).toEqual({ level: 2 }));
  expect(localStorage.getItem("level:g1")).toBe("2");
});

test("a run in a tournament names it and leaves the level to the server", async () => {
  const { sessions } = open({
    at: gamePath("g1", { tournamentId: "c1" }),
    game: { levels: 3 },
    tournaments: [cup],
  });
  const section = await screen.findByRole("region", { name: "Tournaments" });
  expect(await within(section).findByText(/^Your run counts.*3 runs left/)).toBeVisible();
  expect(section).toHaveTextContent("KES 5,000.00");
  expect(screen.queryByRole("radio")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Play now" }));
  await waitFor(() => expect(sessions()[0]?.body).toEqual({ tournamentId: "c1" }));
});

test("the tournament may come in the navigation state", async () => {
  const { sessions } = open({ state: { tournament: cup } });
  await userEvent.click(await screen.findByRole("button", { name: "Play now" }));
  await waitFor(() => expect(sessions()[0]?.body).toEqual({ tournamentId: "c1" }));
});

test("the page shows how many runs are left, and offers practice after the last one", async () => {
  open({ at: gamePath("g1", { tournamentId: "c1" }), tournaments: [cup], left: { runsLeft: 0 } });
  expect(await screen.findByText("You have used your runs")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Play now" })).toBeNull();
  expect(screen.getByRole("button", { name: "Practice" })).toBeVisible();
});

test.each([
  ["NO_RUNS_LEFT", "You have used your runs"],
  ["TOURNAMENT_NOT_ON", "This tournament is not on"],
])("after the refusal %s the page says why, and practice is still offered", async (code, title) => {
  const { expectOpened } = open({
    at: gamePath("g1", { tournamentId: "c1" }),
    tournaments: [cup],
    session: { statusCode: 422, statusMessage: "Refused", payload: { code } },
  });
  await screen.findByText(/3 runs left/);
  await userEvent.click(screen.getByRole("button", { name: "Play now" }));
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Play now" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Practice" }));
  await expectOpened(expect.stringContaining("game=g1"));
});

test("a player whose last run waits can go back to it", async () => {
  open({
    at: gamePath("g1", { tournamentId: "c1" }),
    tournaments: [cup],
    left: { runsLeft: 0, hasOpenRun: true },
  });
  expect(await screen.findByText(/0 runs left/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Play now" })).toBeVisible();
});

test("a count of the round before does not block the new one", async () => {
  open({
    at: gamePath("g1", { tournamentId: "c1" }),
    tournaments: [{ ...cup, rounds: 6 }],
    left: { runsLeft: 0, round: 0 },
  });
  expect(await screen.findByText(/3 runs a round/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Play now" })).toBeVisible();
});

test("the best run can be watched, once there is one", async () => {
  const { expectOpened } = open({ best: 1240 });
  await userEvent.click(await screen.findByRole("button", { name: /Watch my best run.*1,240\.00 points/ }));
  await expectOpened("https://games.example/play/ajua/#watch=1&lang=en");
});

test("Play again starts a run at once, without the title screen", async () => {
  const { sessions, expectOpened } = open({ at: gamePath("g1", { play: true, tournamentId: "c1" }) });
  expect(await screen.findByText("Starting Ajua")).toBeVisible();
  await expectOpened(`${URL_OF_RUN}&lang=en&go=1`);
  expect(sessions().map(({ body }) => body)).toEqual([{ tournamentId: "c1" }]);
});

test("a refused session leaves the details, where the player can try again", async () => {
  const { router } = open({
    at: gamePath("g1", { play: true }),
    session: {
      statusCode: 422,
      statusMessage: "This tournament is over.",
      payload: { code: "TOURNAMENT_NOT_ON" },
    },
  });
  expect(await screen.findByRole("button", { name: "Play now" })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: "/games/g1", search: "" });
});

test("a guest practises without a session and without a form", async () => {
  dropSession();
  const { sessions, expectOpened } = open();
  const signIn = await screen.findByRole("link", { name: "Sign in" });
  expect(signIn).toHaveAttribute("href", `${paths.login}?from=%2Fgames%2Fg1`);
  expect(screen.queryByRole("button", { name: "Play now" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Practice" }));
  await expectOpened("https://games.example/play/ajua/?game=g1&lang=en&guest=1");
  expect(sessions()).toEqual([]);
});

test("a game that could not be fetched says so, and Retry asks again", async () => {
  const seen = stubGateway({
    "GET /games/list": () => ({ statusCode: 200, payload: [] }),
    "GET /tournaments": () => ({ statusCode: 200, payload: [] }),
    "GET /games/get/g1": () =>
      seen.filter(({ path }) => path === "/games/get/g1").length > 1
        ? { statusCode: 200, payload: aGame() }
        : { statusCode: 404, statusMessage: "We could not fetch this game from the server." },
  });
  renderRoutes([{ path: paths.game, Component: GameScreen }], [gamePath("g1")]);
  expect(await screen.findByText("We could not fetch this game from the server.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Ajua" })).toBeVisible();
});
