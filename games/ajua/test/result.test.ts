import { expect, it } from "vitest";
import { verdictOf } from "../src/result";
import { Outcome } from "../src/state";

const verdict = (outcome: number, mine: number, theirs: number) =>
  verdictOf({ outcome, caught: [mine, theirs] });

it("the character cheers only for a won game", () => {
  expect(verdict(Outcome.Won, 33, 20)).toEqual({ ribbon: "won", mood: "cheer" });
  expect(verdict(Outcome.Drawn, 32, 32)).toEqual({ ribbon: "drawn", mood: "wave" });
  expect(verdict(Outcome.Lost, 10, 33)).toEqual({ ribbon: "lost", mood: "sulk" });
});

it("a game that was lost by at most six seeds was close", () => {
  expect(verdict(Outcome.Lost, 28, 34)).toEqual({ ribbon: "close", mood: "sulk" });
  expect(verdict(Outcome.Lost, 27, 34)).toEqual({ ribbon: "lost", mood: "sulk" });
});
