import { expect, test } from "vitest";
import { aBoard, aBoardEntry } from "@/test/payloads";
import {
  awardsByTier,
  boardStageOf,
  entriesAround,
  entriesOf,
  isOutOfDate,
  nameOf,
  pageOfRank,
  podiumAndList,
} from "./board";
import { ordinalText } from "./ordinal";

const starts = new Date("2026-05-01T10:00:00Z");
const ends = new Date("2026-05-01T12:00:00Z");

test.each([
  ["2026-05-01T09:00:00Z", false, "upcoming"],
  ["2026-05-01T11:00:00Z", false, "ongoing"],
  ["2026-05-01T12:00:00Z", false, "settling"],
  ["2026-05-01T12:05:00Z", true, "final"],
])("at %s a board that is settled: %s is %s", (now, settled, stage) => {
  expect(boardStageOf({ starts, ends }, settled, new Date(now))).toBe(stage);
});

test("somebody who moved between two pages stands on the board once", () => {
  const moved = aBoardEntry(15, { userId: "u16" });
  const first = { content: [...aBoard(0, 30).content.slice(0, 14), moved] };
  const entries = entriesOf([first, aBoard(1, 30)]);
  expect(entries.filter(({ userId }) => userId === "u16")).toEqual([moved]);
  expect(entries.map(({ rank }) => rank)).toEqual([...entries.map(({ rank }) => rank)].sort((a, b) => a - b));
});

test.each([
  ["amina", false, "amina"],
  [null, false, "Player"],
  [null, true, "Former player"],
])("a player with the name %s, whose account is gone: %s, is called %s", (username, former, name) => {
  expect(nameOf({ username, former })).toBe(name);
});

test("the first three stand on the podium, and an open place stays open", () => {
  const { podium, list } = podiumAndList(aBoard(0, 5).content);
  expect(podium.map((entry) => entry?.rank)).toEqual([1, 2, 3]);
  expect(list.map(({ rank }) => rank)).toEqual([4, 5]);
  expect(podiumAndList(aBoard(0, 1).content).podium.map((entry) => entry?.rank)).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

test.each([
  [1, 0],
  [15, 0],
  [16, 1],
  [27_000, 1799],
])("rank %d is on page %d", (rank, page) => {
  expect(pageOfRank(rank)).toBe(page);
});

test("around the player stand those alone that the list does not show", () => {
  const shown = aBoard(0, 40).content;
  expect(entriesAround({ ...aBoard(1, 40), content: [aBoardEntry(15), aBoardEntry(16)] }, shown)).toEqual([
    aBoardEntry(16),
  ]);
});

test("a board is out of date when the stream says another place, another number of players or its end", () => {
  const board = aBoard(0, 30, { me: { rank: 4, points: 10 } });
  const same = { own: { rank: 4, points: 10 }, players: 30, settled: false };
  expect(isOutOfDate(board, same)).toBe(false);
  expect(isOutOfDate(board, { ...same, own: { rank: 3, points: 12 } })).toBe(true);
  expect(isOutOfDate(board, { ...same, own: null })).toBe(true);
  expect(isOutOfDate(board, { ...same, players: 31 })).toBe(true);
  expect(isOutOfDate(board, { ...same, settled: true })).toBe(true);
});

test("awards stand under Gold, Silver and Bronze by position", () => {
  const award = (position: number, tier: string) => ({
    position,
    award: { name: `${tier} ${position}` },
    subscriptionPackage: { name: tier },
    cash: null,
  });
  const tiers = awardsByTier([award(2, "Gold"), award(1, "Gold"), award(1, "Bronze")]);
  expect(tiers.gold.map(({ position }) => position)).toEqual([1, 2]);
  expect(tiers.silver).toEqual([]);
  expect(tiers.bronze).toHaveLength(1);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [22, "22nd"],
  [1003, "1,003rd"],
])("place %d is written as %s", (rank, text) => {
  expect(ordinalText(rank)).toBe(text);
});
