import { describe, expect, it } from "vitest";
import type { Result } from "../types";
import { type Verdict, verdictOf } from "../verdict";

const verdict = (score: number, best: number, own: Result = {}): Verdict =>
  verdictOf({ mode: "practice", score, best, own }, "en");

describe("the verdict on a run", () => {
  it("compares the score with the best", () => {
    expect(verdict(120, 100)).toMatchObject({ ribbon: "New best!", line: "20 more than your best" });
    expect(verdict(100, 100)).toMatchObject({ ribbon: "So close!", line: "Exactly your best" });
    expect(verdict(90, 100)).toMatchObject({ ribbon: "So close!", line: "10 short of your best" });
    expect(verdict(10, 100)).toMatchObject({ ribbon: "Well played!", line: "90 short of your best" });
  });

  it("compares a first score with nothing", () => {
    expect(verdict(80, 0)).toMatchObject({ ribbon: "First score!", line: "Now you have a score to beat" });
  });

  it("neither compares nor praises 0 points", () => {
    for (const best of [0, 100])
      expect(verdict(0, best)).toEqual({
        celebrates: false,
        mood: "wave",
        ribbon: "Better luck next time",
        line: "",
      });
  });

  it("celebrates a new best only", () => {
    expect(verdict(120, 100)).toMatchObject({ celebrates: true, mood: "cheer" });
    expect(verdict(80, 0)).toMatchObject({ celebrates: true, mood: "cheer" });
    expect(verdict(100, 100)).toMatchObject({ celebrates: false, mood: "wave" });
  });

  it("does not celebrate a lost or drawn game, even with a new best", () => {
    for (const mood of ["sulk", "wave"] as const)
      expect(verdict(120, 100, { mood, ribbon: "Lost this one" })).toEqual({
        celebrates: false,
        mood,
        ribbon: "Lost this one",
        line: "20 more than your best",
      });
  });

  it("does not celebrate a run that is watched", () => {
    expect(verdictOf({ mode: "watch", score: 120, best: 0, own: { mood: "cheer" } }, "en")).toEqual({
      celebrates: false,
      mood: "cheer",
      ribbon: "That was the run",
      line: "",
    });
  });
});
