import { describe, expect, it } from "vitest";
import { cellAt, cellsAlong, follow, inputsBetween, spell } from "../src/path";

const GRID = [..."KITNDMSAOEWAFBUIRAPLHANEC"];
const CLEAR = 27;

describe("the way of a finger", () => {
  it("takes the tiles it crosses, also when the phone reports only its ends", () => {
    expect(cellsAlong({ x: 0.5, y: 0.5 }, { x: 4.5, y: 0.5 })).toEqual([0, 1, 2, 3, 4]);
  });

  it("takes no tile beside a slanting drag, even an unsteady one", () => {
    expect(cellsAlong({ x: 0.5, y: 0.5 }, { x: 3.5, y: 3.5 })).toEqual([0, 6, 12, 18]);
    expect(cellsAlong({ x: 0.72, y: 0.5 }, { x: 3.72, y: 3.5 })).toEqual([0, 6, 12, 18]);
    expect(cellsAlong({ x: 0.5, y: 0.7 }, { x: 2.45, y: 2.65 })).toEqual([0, 6, 12]);
  });

  it("begins on any part of a tile, and nowhere outside the board", () => {
    expect(cellAt({ x: 0.02, y: 0.97 })).toBe(0);
    expect(cellAt({ x: -0.1, y: 2 })).toBeNull();
    expect(cellAt({ x: 5.01, y: 2 })).toBeNull();
  });

  it("goes on to neighbours, leaves out what is too far, and comes back to a tile that it passed", () => {
    expect(follow([0, 6], 12)).toEqual([0, 6, 12]);
    expect(follow([0, 6], 24)).toEqual([0, 6]);
    expect(follow([0, 6, 12, 18], 6)).toEqual([0, 6]);
    expect(follow([], 7)).toEqual([7]);
  });
});

describe("typed words", () => {
  it("find a way through the grid", () => {
    expect(
      spell(GRID, "SAFARI", [])
        ?.map((cell) => GRID[cell])
        .join(""),
    ).toBe("SAFARI");
    expect(spell(GRID, "ZEBRA", [])).toBeNull();
  });

  it("keep the way that is there where it still leads on", () => {
    const path = spell(GRID, "SAF", [6, 7, 12]);
    expect(path).toEqual([6, 7, 12]);
    expect(spell(GRID, "SAFA", path ?? [])?.slice(0, 3)).toEqual([6, 7, 12]);
  });
});

describe("the inputs from one way to another", () => {
  it("enter what is new", () => expect(inputsBetween([0, 1], [0, 1, 2], CLEAR)).toEqual([3]));
  it("go back cell by cell", () => expect(inputsBetween([0, 1, 2], [0], CLEAR)).toEqual([2, 1]));
  it("clear when nothing stays", () => expect(inputsBetween([0, 1], [5, 6], CLEAR)).toEqual([CLEAR, 6, 7]));
  it("are none for the same way", () => expect(inputsBetween([3, 4], [3, 4], CLEAR)).toEqual([]));
  it("turn off in the middle", () => expect(inputsBetween([0, 1, 2], [0, 1, 7], CLEAR)).toEqual([2, 8]));
});
