import { afterEach, expect, test } from "vitest";
import { deviceStorage } from "@/lib/storage";
import { keepForGame, keptByGame } from "./keptByGame";

afterEach(() => deviceStorage.clear());

test("a game gets back what it kept, and nothing of another game", () => {
  keepForGame("g1", "playon.settings", "1");
  keepForGame("g1", "playon.settings", "2");
  keepForGame("g1", "playon.run.x..p1", "run");
  keepForGame("g2", "playon.settings", "other");
  expect(keptByGame("g1")).toEqual({ "playon.settings": "2", "playon.run.x..p1": "run" });
  keepForGame("g1", "playon.run.x..p1", null);
  keepForGame("g1", "never", null);
  expect(keptByGame("g1")).toEqual({ "playon.settings": "2" });
  expect(keptByGame("g3")).toEqual({});
});

test("a game keeps twenty texts of some length, by plain keys", () => {
  for (let number = 0; number < 25; number++) keepForGame("g1", `key-${number}`, "text");
  expect(Object.keys(keptByGame("g1"))).toHaveLength(20);
  expect(keptByGame("g1")).not.toHaveProperty("key-4");
  expect(localStorage.getItem("game:g1:key-4")).toBeNull();
  // A text that is written again is not the oldest any more.
  keepForGame("g1", "key-5", "newer");
  keepForGame("g1", "key-25", "text");
  expect(keptByGame("g1")).toMatchObject({ "key-5": "newer", "key-25": "text" });
  expect(keptByGame("g1")).not.toHaveProperty("key-6");
  keepForGame("g2", "long", "x".repeat(200_001));
  keepForGame("g2", "a key with spaces", "text");
  keepForGame("g2", "", "text");
  expect(keptByGame("g2")).toEqual({});
});

test("a game keeps 400,000 letters, and the oldest text makes room", () => {
  for (const key of ["first", "second", "third"]) keepForGame("g1", key, key.padEnd(150_000, "x"));
  expect(Object.keys(keptByGame("g1"))).toEqual(["second", "third"]);
});
