import { describe, expect, it } from "vitest";
import { decodeInputs, InputRecorder } from "../inputs";
import { InputPlayer } from "../run";

const record = (inputs: number[], join = true): string => {
  const recorder = new InputRecorder(join);
  for (const input of inputs) recorder.push(input);
  return recorder.toBase64();
};

describe("recorded inputs", () => {
  it("join equal neighbours in a game in time", () => {
    expect(decodeInputs(record([0, 0, 0, 1, 0, 0]))).toEqual([
      [3, 0],
      [1, 1],
      [2, 0],
    ]);
  });

  it("are pairs of one in a game of moves", () => {
    expect(decodeInputs(record([4, 4, 7], false))).toEqual([
      [1, 4],
      [1, 4],
      [1, 7],
    ]);
  });

  it("take more bytes for large numbers, and lose nothing", () => {
    const inputs = [...Array(20_000).fill(0), 300, ...Array(128).fill(127), 128];
    expect(decodeInputs(record(inputs))).toEqual([
      [20_000, 0],
      [1, 300],
      [128, 127],
      [1, 128],
    ]);
  });

  it("are the bytes that the server reads", () => {
    // 300 times 1, then once 2: ac 02 01, 01 02.
    expect(record([...Array(300).fill(1), 2])).toBe(btoa("\xac\x02\x01\x01\x02"));
    expect(record([])).toBe("");
  });

  it("grow beyond the first buffer, also when read in between", () => {
    const recorder = new InputRecorder(false);
    for (let move = 0; move < 3000; move++) {
      recorder.push(move % 200);
      if (move % 500 === 0) recorder.toBase64();
    }
    const pairs = decodeInputs(recorder.toBase64());
    expect(pairs.length).toBe(3000);
    expect(pairs[2999]).toEqual([1, 2999 % 200]);
    expect(atob(recorder.toBase64()).length).toBe(recorder.bytes);
  });

  it("are refused when they end in the middle or count too much", () => {
    expect(() => decodeInputs(btoa("\x80"))).toThrow("middle");
    expect(() => decodeInputs(btoa("\x01"))).toThrow("middle");
    expect(() => decodeInputs(btoa("\xff\xff\xff\xff\xff\xff\x01"))).toThrow("too long");
    expect(() => decodeInputs(btoa("\xff\xff\xff\x7f\x00"))).toThrow("too many steps");
  });

  it("play back one by one", () => {
    const player = new InputPlayer(record([1, 1, 0, 2]));
    expect([player.next(), player.next(), player.next(), player.next(), player.next()]).toEqual([
      1,
      1,
      0,
      2,
      null,
    ]);
  });
});
