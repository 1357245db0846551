import { expect, test } from "vitest";
import { durationText, stageOf } from "./model";

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
