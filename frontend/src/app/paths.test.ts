import { expect, test } from "vitest";
import { afterSignIn, loginFrom, paymentIn, waitingFor } from "./paths";

test.each(["/account/wallet", "/waiting?payment=a%26b", "/tournaments?x=1"])(
  "sign-in leads back to %s",
  (wanted) => {
    const url = new URL(wanted, "http://playon.test");
    const login = new URL(loginFrom(url), url);
    expect(login.pathname).toBe("/login");
    expect(afterSignIn(login.search)).toBe(wanted);
  },
);

test.each(["", "?from=", "?from=https://evil.test", "?from=//evil.test", "?from=/\\evil.test"])(
  "sign-in with %s leads home",
  (search) => {
    expect(afterSignIn(search)).toBe("/dashboard");
  },
);

test.each(["/login", "/register", "/login?from=%2Faccount%2Fwallet"])(
  "%s is as good as the login",
  (here) => {
    expect(loginFrom(new URL(here, "http://playon.test"))).toBe(here);
  },
);

test("a payment's id survives the address", () => {
  expect(paymentIn(new URL(waitingFor("a&b=c"), "http://playon.test").search)).toBe("a&b=c");
});
