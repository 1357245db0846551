import { expect, test } from "vitest";
import type { Subscription } from "@/features/wallet/api/subscriptions";
import { bestRunning, runsUntil, tierOf } from "./subscriptions";
import { timeLeft } from "./timeLeft";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const HOUR = 3_600_000;

const held = (name: string, hours: number, expired = false): Subscription => ({
  id: `${name}${hours}`,
  expired,
  startsAt: new Date(NOW - HOUR).toISOString(),
  expiresAt: new Date(NOW + hours * HOUR).toISOString(),
  subscriptionPackage: { id: name, name },
});

test("a package that was bought again runs until the later end", () => {
  expect(runsUntil([held("Bronze", 3), held("Bronze", 27)], "Bronze", NOW)).toEqual(
    new Date(NOW + 27 * HOUR),
  );
});

test("a package whose end has passed by the server's clock does not run, whatever the list says", () => {
  expect(runsUntil([held("Bronze", -1), held("Gold", 5, true)], "Bronze", NOW)).toBeNull();
  expect(runsUntil([held("Gold", 5, true)], "Gold", NOW)).toBeNull();
  expect(runsUntil(undefined, "Gold", NOW)).toBeNull();
});

test("the best running package is the one of the highest tier, not the one that runs longest", () => {
  expect(bestRunning([held("Bronze", 20), held("Gold", 2), held("Platinum", -1)], NOW)?.name).toBe("Gold");
  expect(bestRunning([], NOW)).toBeNull();
});

test("a package that this version does not know looks like bronze", () => {
  expect([tierOf(" PLATINUM "), tierOf("Diamond")]).toEqual(["platinum", "bronze"]);
});

test.each([
  [17 * HOUR + 59 * 60_000, "17 h 59 min"],
  [12 * 60_000, "12 min"],
  [45_900, "45 s"],
  [-5, "0 s"],
])("%d ms are %s", (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});
