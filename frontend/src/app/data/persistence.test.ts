import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { gamesQuery } from "@/entities/game/queries";
import { tournamentsQuery } from "@/features/tournament/queries";
import { balanceQuery, historyQuery } from "@/features/wallet/api/queries";
import { changeLanguage } from "@/lib/i18n/i18n";
import { dropSession, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { aBalance, aGame, aTournament, aTransaction } from "@/test/payloads";
import { aSession } from "@/test/players";
import { MAX_AGE_MS, persistQueries } from "./persistence";

const games = [aGame()];
const transaction = aTransaction();

/** A client of one visit, with the stored lists restored into it. */
function visit(): QueryClient {
  const client = new QueryClient();
  onTestFinished(persistQueries(client));
  return client;
}

beforeEach(() => saveSession(aSession()));

test("lists of the last visit are shown with the time when they were fetched", () => {
  const at = Date.now() - 60_000;
  visit().setQueryData(gamesQuery.queryKey, games, { updatedAt: at });
  const next = visit();
  expect(next.getQueryData(gamesQuery.queryKey)).toEqual(games);
  expect(next.getQueryState(gamesQuery.queryKey)?.dataUpdatedAt).toBe(at);
});

test("a list of the last visit is fetched again when it is shown, however young it is", async () => {
  visit().setQueryData(gamesQuery.queryKey, games);
  const queryFn = vi.fn(async () => []);
  const next = visit();
  await next.prefetchQuery({ ...gamesQuery, queryFn });
  expect(queryFn).toHaveBeenCalledOnce();
  expect(next.getQueryData(gamesQuery.queryKey)).toEqual([]);
});

test("dates are dates again", () => {
  const starts = new Date("2026-05-20T10:00:00Z");
  const tournament = { ...aTournament(), starts, ends: starts };
  visit().setQueryData(tournamentsQuery.queryKey, [tournament]);
  expect(visit().getQueryData(tournamentsQuery.queryKey)).toEqual([tournament]);
});

test("a balance is never stored", () => {
  visit().setQueryData(balanceQuery.queryKey, aBalance(7_654_321));
  const stored = JSON.stringify({ ...localStorage, ...sessionStorage });
  expect(stored).not.toContain("7654321");
});

test("a list that the server sent first is not replaced by the stored one", () => {
  visit().setQueryData(gamesQuery.queryKey, games);
  const client = new QueryClient();
  client.setQueryData(gamesQuery.queryKey, []);
  onTestFinished(persistQueries(client));
  expect(client.getQueryData(gamesQuery.queryKey)).toEqual([]);
});

test("a list that the server sent before anything was restored is shown at the next visit", () => {
  const client = new QueryClient();
  client.setQueryData(gamesQuery.queryKey, games);
  onTestFinished(persistQueries(client));
  expect(visit().getQueryData(gamesQuery.queryKey)).toEqual(games);
});

test("a list of another shape, or of another week, is not shown", () => {
  localStorage.setItem(
    "query:games",
    JSON.stringify({ uid: null, updatedAt: Date.now(), data: [{ id: 1 }] }),
  );
  expect(visit().getQueryData(gamesQuery.queryKey)).toBeUndefined();
  visit().setQueryData(gamesQuery.queryKey, games, { updatedAt: Date.now() - MAX_AGE_MS - 1 });
  expect(visit().getQueryData(gamesQuery.queryKey)).toBeUndefined();
});

test("a player's own lists are dropped when the player changes; public ones stay", async () => {
  const client = visit();
  const history = { rows: [transaction], hasMore: false };
  client.setQueryData(historyQuery.queryKey, history);
  client.setQueryData(gamesQuery.queryKey, games);
  expect(visit().getQueryData(historyQuery.queryKey)).toEqual(history);
  dropSession();
  await eventually(() => expect(sessionStorage.getItem("query:history")).toBeNull());
  saveSession(aSession({ uid: "p2" }));
  const next = visit();
  expect(next.getQueryData(historyQuery.queryKey)).toBeUndefined();
  expect(next.getQueryData(gamesQuery.queryKey)).toEqual(games);
});

test("another player's list in the storage is not shown", () => {
  const data = { rows: [transaction], hasMore: false };
  sessionStorage.setItem("query:history", JSON.stringify({ uid: "p0", updatedAt: Date.now(), data }));
  expect(visit().getQueryData(historyQuery.queryKey)).toBeUndefined();
});

test("a list in the language before is not shown again", async () => {
  onTestFinished(() => changeLanguage("en"));
  visit().setQueryData(historyQuery.queryKey, { rows: [transaction], hasMore: false });
  visit().setQueryData(gamesQuery.queryKey, games);
  await changeLanguage("sw");
  const next = visit();
  expect(next.getQueryData(historyQuery.queryKey)).toBeUndefined();
  expect(next.getQueryData(gamesQuery.queryKey)).toBeUndefined();
});
