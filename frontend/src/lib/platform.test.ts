import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { parseUrl, timeoutSignal } from "./platform";

test("a text that is no URL is null", () => {
  expect(parseUrl("https://playon.example/a")?.pathname).toBe("/a");
  expect(parseUrl("/a", "https://playon.example")?.href).toBe("https://playon.example/a");
  expect(parseUrl("/a")).toBeNull();
  expect(parseUrl("http://")).toBeNull();
});

test("a signal aborts after its time", () => {
  vi.useFakeTimers();
  const signal = timeoutSignal(1_000);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
  vi.useRealTimers();
});

/** Functions that Chrome 92, Firefox 115 or Safari 15.4 lack. */
const LACKING =
  /\bURL\.(?:canParse|parse)\(|\bAbortSignal\.(?:timeout|any)\(|\bObject\.(?:hasOwn|groupBy)\(|\bMap\.groupBy\(|\bstructuredClone\(|\.(?:findLast|findLastIndex|toSorted|toReversed|toSpliced|isWellFormed|toWellFormed|throwIfAborted)\(|\bPromise\.(?:withResolvers|try)\(|\bArray\.fromAsync\(|\bIntl\.(?:Segmenter|DurationFormat)\b/u;
const sources = import.meta.glob<string>(
  ["/src/**/*.{ts,tsx}", "!/src/**/*.test.{ts,tsx}", "!/src/test/**"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

test("no code calls what the oldest supported browsers lack", () => {
  const found = Object.entries(sources).flatMap(([file, text]) =>
    text.split("\n").flatMap((line, at) => (LACKING.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test("dynamic heights of the viewport are in --viewport alone, which older browsers have too", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  const found = files.filter((file) => /\d[dsl]vh\b/u.test(readFileSync(`src/${file}`, "utf8")));
  expect(found).toEqual(["ui/tokens.css"]);
});
