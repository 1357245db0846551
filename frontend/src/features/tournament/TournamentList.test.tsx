import { act, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aGame, aTournament } from "@/test/payloads";
import { renderPage } from "@/test/render";
import { TournamentList } from "./TournamentList";

afterEach(() => vi.unstubAllGlobals());

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const cup = (name: string, starts: number, ends: number, more = {}) =>
  aTournament({ id: name, name, starts: hours(starts), ends: hours(ends), ...more });

function open(tournaments: readonly object[]) {
  stubGateway({
    "GET /tournaments": () => ({ statusCode: 200, payload: tournaments }),
    "GET /games/list": () => ({ statusCode: 200, payload: [aGame({ world: "maneno", name: "Maneno" })] }),
  });
  renderPage(
    <TournamentList
      home="/dashboard"
      toGame={({ gameId, id }) => `/play-${gameId}-${id}`}
      toBoard={({ id }) => `/board-${encodeURIComponent(id)}`}
    />,
  );
}

test("tournaments stand by stage: what is on with its time left, what comes, what is over", async () => {
  open([
    cup("Friday Cup", -1, 2.5),
    cup("Sunday League", 30.5, 40),
    cup("Masters", -9, -8, { settled: true }),
  ]);
  const ongoing = await screen.findByRole("region", { name: "Ongoing" });
  expect(within(ongoing).getByText("1 LIVE")).toBeVisible();
  expect(within(ongoing).getByRole("timer")).toHaveAccessibleName(/^Ends in 2 h/);
  expect(ongoing).toHaveTextContent(/KES 5,000\.00/);
  expect(ongoing).toHaveTextContent(/1,284 players/);
  const upcoming = screen.getByRole("region", { name: "Upcoming" });
  expect(upcoming).toHaveTextContent(/Sunday League.*Starts in 1 d 6 h/);
  expect(screen.getByRole("region", { name: "Expired" })).toHaveTextContent(/Masters.*Ended/);
});

test("what is on leads to its game, what is over to its board, and what comes has no button", async () => {
  open([cup("Cup", -1, 2), cup("League", 30, 40), cup("Masters", -9, -8)]);
  expect(await screen.findByRole("link", { name: "Play: Cup" })).toHaveAttribute("href", "/play-g1-Cup");
  expect(screen.getByRole("link", { name: "View: Masters" })).toHaveAttribute("href", "/board-Masters");
  const upcoming = screen.getByRole("region", { name: "Upcoming" });
  expect(within(upcoming).getAllByRole("link")).toEqual([
    within(upcoming).getByRole("link", { name: "League" }),
  ]);
});

test("a tournament without money shows what the first wins", async () => {
  open([cup("Cup", -1, 2, { cash: null, firstAward: "A carved board" })]);
  expect(await screen.findByText("1st place: A carved board")).toBeVisible();
});

test("a card has the colours of its game", async () => {
  open([cup("Ajua Cup", -1, 2)]);
  await screen.findByText("1 LIVE");
  await eventually(() => expect(document.querySelector("li > .w-maneno")).not.toBeNull());
});

test("a group without tournaments says so", async () => {
  open([cup("Masters", -9, -8)]);
  expect(await screen.findByText("No tournament is on right now.")).toBeVisible();
  expect(screen.getByText("New tournaments are on their way.")).toBeVisible();
});

test("without tournaments the screen says what will come", async () => {
  open([]);
  expect(await screen.findByText("The next tournament will appear here.")).toBeVisible();
});

test("a tournament changes its group when its time has come, without a reload", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    open([cup("Cup", 0.01, 1)]);
    expect(await screen.findByRole("region", { name: "Upcoming" })).toHaveTextContent("Cup");
    await act(() => vi.advanceTimersByTimeAsync(37_000));
    expect(screen.getByRole("region", { name: "Ongoing" })).toHaveTextContent("Cup");
    await act(() => vi.advanceTimersByTimeAsync(3_600_000));
    expect(screen.getByRole("region", { name: "Expired" })).toHaveTextContent("Cup");
  } finally {
    vi.useRealTimers();
  }
});
