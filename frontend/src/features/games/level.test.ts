import { expect, test } from "vitest";
import { aGame } from "@/test/payloads";
import { levelName } from "./level";

const names = (world: string, levels: number) =>
  Array.from({ length: levels }, (_, level) => levelName({ ...aGame(), world, levels }, level));

test("levels are named by how hard they are, and numbered when there are many", () => {
  expect(names("ajua", 3)).toEqual(["Easy", "Medium", "Hard"]);
  expect(names("dash", 5)).toEqual(["Level 1", "Level 2", "Level 3", "Level 4", "Level 5"]);
});

test("the levels of Maneno are its languages", () => {
  expect(names("maneno", 2)).toEqual(["Kiswahili", "English"]);
});
