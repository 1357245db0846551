import { afterEach, expect, test, vi } from "vitest";
import { chunkOf, importChunk, isChunkError, retryChunk } from "./chunk";

const lost = () =>
  new TypeError("Failed to fetch dynamically imported module: http://localhost/assets/home-1.js");

afterEach(() => {
  document.head.replaceChildren();
});

test("a chunk that did not arrive differs from a bug in it", () => {
  expect(isChunkError(lost())).toBe(true);
  expect(isChunkError(new TypeError("Importing a module script failed."))).toBe(true);
  expect(isChunkError(new Error("Unable to preload CSS for http://localhost/assets/home-1.css"))).toBe(true);
  expect(isChunkError(new TypeError("undefined is not a function"))).toBe(false);
});

test("a failed load stays failed until it is retried, and then imports again", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(lost()).mockResolvedValueOnce("screen");
  const chunk = chunkOf(load);
  await chunk.load();
  await chunk.load();
  expect(chunk.state()).toMatchObject({ status: "failed" });
  expect(load).toHaveBeenCalledTimes(1);
  await chunk.retry();
  expect(chunk.state()).toEqual({ status: "ready", value: "screen" });
});

test("preloading and opening share one import", async () => {
  const load = vi.fn(async () => "screen");
  const chunk = chunkOf(load);
  await Promise.all([chunk.load(), chunk.load()]);
  await chunk.load();
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([
  ["reloads the page when the server is there", async () => new Response(null), 1],
  ["does not reload while the line is lost", () => Promise.reject(new TypeError("Failed to fetch")), 0],
])("a repeated failure %s", async (_what, fetch, reloads) => {
  vi.stubGlobal("fetch", fetch);
  const reload = vi.fn();
  await expect(retryChunk(() => Promise.reject(lost()), reload)).rejects.toThrow(TypeError);
  expect(reload).toHaveBeenCalledTimes(reloads);
});

test("a style sheet that failed leaves the document, so that the next import requests it again", async () => {
  const href = "http://localhost/assets/home-1.css";
  for (const url of [href, "http://localhost/assets/index-1.css"]) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = url;
    document.head.append(link);
  }
  await expect(
    importChunk(() => Promise.reject(new Error(`Unable to preload CSS for ${href}`))),
  ).rejects.toThrow();
  const left = [...document.querySelectorAll("link")].map((link) => link.href);
  expect(left).toEqual(["http://localhost/assets/index-1.css"]);
});
