import { expect, test } from "vitest";
import { boardPath, boardPathIn } from "@/app/tournamentPaths";

test.each([
  ["?id=friday-dash", "/tournaments/leaderboard/friday-dash"],
  ["?id=a%2Fb", "/tournaments/leaderboard/a%2Fb"],
  ["?id=", "/tournaments"],
  ["", "/tournaments"],
])("the query %s leads to %s", (search, path) => {
  expect(boardPathIn(search)).toBe(path);
});

test("a board has its tournament's id in its address", () => {
  expect(boardPath("friday-dash")).toBe("/tournaments/leaderboard/friday-dash");
});
