import { expect, test } from "vitest";
import { gamePath, gameVisitIn } from "./gamePaths";
import { paymentIdIn, waitingPath } from "./links";
import { afterProfile, afterSignIn, loginFrom, profileFrom } from "./paths";

test.each(["/account/wallet", "/waiting?payment=a%26b", "/tournaments?x=1"])(
  "sign-in returns to %s",
  (wanted) => {
    const url = new URL(wanted, "http://playon.test");
    const login = new URL(loginFrom(url), url);
    expect(login.pathname).toBe("/login");
    expect(afterSignIn(login.search)).toBe(wanted);
  },
);

test.each([
  "",
  "?from=",
  "?from=https://evil.test",
  "?from=//evil.test",
  "?from=/\\evil.test",
  "?from=/%09/evil.test",
  "?from=/%0A/evil.test",
  "?from=/play/ajua/",
  "?from=/media/chat/x",
  "?from=/api/auth/login",
])("sign-in with the query '%s' leads home", (search) => {
  expect(afterSignIn(search)).toBe("/dashboard");
});

test("a new account goes to the referral step, unless it requested another page", () => {
  expect(afterSignIn("", true)).toBe("/referral");
  expect(afterSignIn("?from=%2Fprofile", true)).toBe("/profile");
});

test.each(["/referral", "/tournaments?x=1"])("a completed profile returns to %s", (wanted) => {
  const profile = new URL(profileFrom(new URL(wanted, "http://playon.test")), "http://playon.test");
  expect(profile.pathname).toBe("/profile");
  expect(afterProfile(profile.search)).toBe(wanted);
});

test.each(["", "?from=//evil.test"])("a profile opened with the query '%s' leads home", (search) => {
  expect(afterProfile(search)).toBe("/dashboard");
});

test.each(["/login", "/register", "/login?from=%2Faccount%2Fwallet"])(
  "the login path from %s is that page itself",
  (here) => {
    expect(loginFrom(new URL(here, "http://playon.test"))).toBe(here);
  },
);

test("a payment id is preserved in the URL", () => {
  expect(paymentIdIn(new URL(waitingPath("a&b=c"), "http://playon.test").search)).toBe("a&b=c");
});

test("a link to a game keeps its tournament and whether a run is to start", () => {
  const path = gamePath("a/b", { play: true, tournamentId: "c&1" });
  expect(path).toBe("/games/a%2Fb?play=1&tournamentId=c%261");
  const { search } = new URL(path, "http://playon.test");
  expect(gameVisitIn(search)).toEqual({ play: true, tournamentId: "c&1" });
  expect(gamePath("g1")).toBe("/games/g1");
});
