import { beforeEach, expect, it, vi } from "vitest";
import { forgetRun, type KeptRun, keepRun, readKeptRun } from "../store";

const HOUR = 3_600_000;
const run: KeptRun = {
  session: "s1",
  username: "p1",
  game: "g1",
  rules: "/play/x/rules.wasm?1",
  sha256: "1",
  nextSeeds: [],
  seed: "-7",
  level: 0,
  inputs: "CgE=",
  begunAt: HOUR,
  page: "page-1",
};

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

it("gives a run back to its player, in its game and its tournament", () => {
  keepRun("x", "t1", run);
  expect(readKeptRun("x", "t1", "p1", 2 * HOUR)).toEqual(run);
  expect(readKeptRun("x", "t1", "p2", 2 * HOUR)).toBeNull();
  expect(readKeptRun("x", null, "p1", 2 * HOUR)).toBeNull();
  expect(readKeptRun("y", "t1", "p1", 2 * HOUR)).toBeNull();
  forgetRun("x", "t1", "p2");
  expect(readKeptRun("x", "t1", "p1", 2 * HOUR)).toEqual(run);
  forgetRun("x", "t1", "p1");
  expect(readKeptRun("x", "t1", "p1", 2 * HOUR)).toBeNull();
});

it.each([
  ["whose session is over", 3 * HOUR],
  ["of a later time, after the clock was set back", HOUR - 1],
])("gives no run %s", (_, now) => {
  keepRun("x", null, run);
  expect(readKeptRun("x", null, "p1", now)).toBeNull();
});

it.each([
  "",
  "{",
  "null",
  "[]",
  "{}",
  JSON.stringify({ ...run, inputs: 7 }),
  JSON.stringify({ ...run, seed: "x" }),
])("gives no run for %s in the storage", (text) => {
  localStorage.setItem("playon.run.x..p1", text);
  expect(readKeptRun("x", null, "p1", 2 * HOUR)).toBeNull();
});

it("gives no run without storage", () => {
  const refuse = () => {
    throw new DOMException("refused", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  keepRun("x", null, run);
  forgetRun("x", null, "p1");
  expect(readKeptRun("x", null, "p1", 2 * HOUR)).toBeNull();
});
