import { describe, expect, it } from "vitest";
import { readAppOrigin, readLaunch } from "../ticket";

const SHA = "a".repeat(64);
const page = "https://games.playon.test/play/duma-dash/";
const fragment = `session=abc.DEF-_1&rules=/play/duma-dash/rules.wasm?${SHA}&sha256=${SHA}&game=0199-id`;

describe("the ticket", () => {
  it("is read from query and fragment", () => {
    const launch = readLaunch(`${page}?username=u1&tournamentId=t1#${fragment}`);
    expect(launch.ticket).toEqual({
      session: "abc.DEF-_1",
      rules: `/play/duma-dash/rules.wasm?${SHA}`,
      sha256: SHA,
      game: "0199-id",
    });
    expect(launch).toMatchObject({ username: "u1", tournamentId: "t1", game: "0199-id", broken: null });
  });

  it("is absent in practice", () => {
    expect(readLaunch(`${page}?game=g1`)).toMatchObject({
      ticket: null,
      game: "g1",
      guest: false,
      goes: false,
      broken: null,
    });
    expect(readLaunch(`${page}?game=g1&guest=1#go=1`)).toMatchObject({ guest: true, goes: true });
  });

  it.each([
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
    expect(launch.broken).toBe("session");
  });
});

describe("a run to watch", () => {
  const rules = encodeURIComponent(`/play/duma-dash/rules.wasm?${SHA}`);
  const watch = `watch=1&seed=-7&level=2&rules=${rules}&sha256=${SHA}&game=g1&points=120&inputs=PgABAQ`;

  it("is read from the fragment, as the server's URL has it", () => {
    const launch = readLaunch(`${page}#${watch}&tournament=t1`);
    expect(launch.recording).toEqual({
      seed: -7n,
      nextSeeds: [],
      level: 2,
      rules: `/play/duma-dash/rules.wasm?${SHA}`,
      sha256: SHA,
      inputs: "PgABAQ",
      points: 120,
    });
    expect(launch).toMatchObject({ ticket: null, game: "g1", tournamentId: "t1", broken: null });
  });

  it("has a seed for each piece of a live run", () => {
    const seedsOf = (text: string) =>
      readLaunch(`${page}#${watch}&nextSeeds=${encodeURIComponent(text)}`).recording?.nextSeeds;
    expect(seedsOf("8,-9")).toEqual([8n, -9n]);
    expect(seedsOf("")).toEqual([]);
    for (const broken of ["8,", "8,x", "8;9"]) expect(seedsOf(broken)).toBeUndefined();
  });

  it("has inputs in base64url without padding", () => {
    // 62 and 63 are the digits that differ between the alphabets.
    const launch = readLaunch(`${page}#${watch.replace("PgABAQ", "-gEA_wEB")}`);
    expect(launch.recording?.inputs).toBe("+gEA/wEB");
  });

  it("needs no points", () => {
    expect(readLaunch(`${page}#${watch.replace("&points=120", "")}`).recording?.points).toBeNull();
  });

  it("never starts a session, even if the fragment has one", () => {
    expect(readLaunch(`${page}#${watch}&session=abc`)).toMatchObject({ ticket: null, broken: null });
  });

  it.each([
    ["without a seed", watch.replace("seed=-7&", "")],
    ["with a seed that is no i64", watch.replace("seed=-7", "seed=9223372036854775808")],
    ["with words for a seed", watch.replace("seed=-7", "seed=0x1f")],
    ["without inputs", watch.replace("&inputs=PgABAQ", "")],
    ["with empty inputs", watch.replace("PgABAQ", "")],
    ["with inputs that are no base64url", watch.replace("PgABAQ", "Pg AB.")],
    ["with inputs of an impossible length", watch.replace("PgABAQ", "PgABA")],
    ["with inputs that end in the middle of a number", watch.replace("PgABAQ", "Pv8")],
    ["with rules of another origin", watch.replace(rules, "https://evil.test/rules.wasm")],
  ])("is broken %s", (_, hash) => {
    expect(readLaunch(`${page}#${hash}`)).toMatchObject({ recording: null, broken: "watch" });
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
