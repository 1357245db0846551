import { describe, expect, it } from "vitest";
import { readAppOrigin, readLaunch } from "../ticket";

const SHA = "a".repeat(64);
const page = "https://games.playon.test/play/duma-dash/";
const fragment = `session=abc.DEF-_1&seed=-42&level=2&rules=/play/duma-dash/rules.wasm?${SHA}&sha256=${SHA}&game=0199-id`;

describe("the ticket", () => {
  it("is read from query and fragment", () => {
    const launch = readLaunch(`${page}?username=u1&tournamentId=t1#${fragment}`);
    expect(launch.ticket).toEqual({
      session: "abc.DEF-_1",
      seed: -42n,
      level: 2,
      rules: `/play/duma-dash/rules.wasm?${SHA}`,
      sha256: SHA,
      game: "0199-id",
    });
    expect(launch).toMatchObject({ username: "u1", tournamentId: "t1", game: "0199-id", broken: false });
  });

  it("is absent in practice", () => {
    expect(readLaunch(`${page}?game=g1`)).toMatchObject({ ticket: null, game: "g1", broken: false });
  });

  it.each([
    ["without a seed", fragment.replace("seed=-42&", "")],
    ["with a seed that is no i64", fragment.replace("-42", "9223372036854775808")],
    ["with words for a seed", fragment.replace("-42", "0x1f")],
    ["without a digest", fragment.replace(`sha256=${SHA}`, "sha256=12")],
    ["with rules of another origin", fragment.replace("rules=/play", "rules=https://evil.test/play")],
    [
      "with rules of another origin without a scheme",
      fragment.replace("rules=/play", "rules=//evil.test/play"),
    ],
    ["without the game", fragment.replace("&game=0199-id", "")],
    ["with an empty session", fragment.replace("abc.DEF-_1", "")],
  ])("is broken %s", (_, hash) => {
    const launch = readLaunch(`${page}#${hash}`);
    expect(launch.ticket).toBeNull();
    expect(launch.broken).toBe(true);
  });

  it("names a recorded run to watch, in either alphabet of base64", () => {
    const launch = readLaunch(`${page}#watch=-_8=&seed=7&rules=rules.wasm&sha256=${SHA}`);
    expect(launch.recording).toMatchObject({
      inputs: "+/8=",
      seed: 7n,
      level: 0,
      rules: "/play/duma-dash/rules.wasm",
    });
  });
});

describe("the app's origin", () => {
  it("is what the page's server wrote", () => {
    expect(readAppOrigin("https://playon.test/", page)).toBe("https://playon.test");
  });

  it("is the same host at port 8080 in development", () => {
    expect(readAppOrigin("", "http://127.0.0.1:8081/play/x/")).toBe("http://127.0.0.1:8080");
    expect(readAppOrigin("javascript:alert(1)", "http://127.0.0.1:8081/")).toBe("http://127.0.0.1:8080");
  });
});
