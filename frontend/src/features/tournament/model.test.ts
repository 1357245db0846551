import { expect, test } from "vitest";
import { aTournament } from "@/test/payloads";
import { durationText, passedTournament, roundAt, stageOf } from "./model";

const starts = new Date("2026-05-01T10:00:00Z");
const ends = new Date("2026-05-01T12:00:00Z");

test.each([
  ["2026-05-01T09:59:59.999Z", "upcoming"],
  ["2026-05-01T10:00:00Z", "ongoing"],
  ["2026-05-01T11:59:59.999Z", "ongoing"],
  ["2026-05-01T12:00:00Z", "expired"],
])("at %s the tournament is %s", (now, stage) => {
  expect(stageOf({ starts, ends }, new Date(now))).toBe(stage);
});

test.each([
  [-5, "0 min 0 s"],
  [61_000, "1 min 1 s"],
  [3_600_000, "1 h 0 min"],
  [90_000_000, "1 d 1 h"],
])("formats %d ms as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  ["2026-05-01T10:00:00Z", 0, "2026-05-01T10:40:00.000Z"],
  ["2026-05-01T10:39:59Z", 0, "2026-05-01T10:40:00.000Z"],
  ["2026-05-01T10:40:00Z", 1, "2026-05-01T11:20:00.000Z"],
  ["2026-05-01T11:59:00Z", 2, undefined],
])("at %s round %d of three is on", (now, index, next) => {
  const round = roundAt({ starts, ends, rounds: 3 }, new Date(now));
  expect(round.index).toBe(index);
  expect(round.next?.toISOString()).toBe(next);
});

test("a tournament is taken from the navigation state when it is whole", () => {
  const whole = { ...aTournament(), starts, ends };
  expect(passedTournament({ tournament: whole })).toBe(whole);
  expect(passedTournament({ tournament: { id: "c1" } })).toBeNull();
  expect(passedTournament(null)).toBeNull();
});
