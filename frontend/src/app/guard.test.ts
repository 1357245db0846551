import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { guard, guardPlayers, guestsOnly } from "./guard";

const REFRESH = "POST /auth/refresh";
const renewed = () => ({
  statusCode: 200,
  payload: aSession({ accessToken: "access-2", refreshToken: "refresh-2" }),
});

/** Returns the path that the guard redirects a visit to; null when it lets the visit pass. */
async function redirectOf(path: string): Promise<string | null> {
  const request = new Request(`http://playon.test${path}`);
  try {
    await guard({ request } as Parameters<typeof guard>[0]);
    return null;
  } catch (cause) {
    if (cause instanceof Response) return cause.headers.get("location");
    throw cause;
  }
}

beforeEach(() => {
  vi.spyOn(toast, "info").mockImplementation(() => {});
  vi.spyOn(toast, "error").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

describe("the guard", () => {
  test("redirects a guest to the login with the requested page", async () => {
    expect(await redirectOf("/account/wallet?day=1")).toBe("/login?from=%2Faccount%2Fwallet%3Fday%3D1");
  });

  test("lets a new window of a signed-in browser pass, with the profile of the server", async () => {
    saveSession(aSession());
    sessionStorage.clear();
    const seen = stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }),
    });
    expect(await redirectOf("/account/wallet")).toBeNull();
    expect(seen.map(({ path }) => path)).toEqual(["/auth/refresh", "/auth/login"]);
    expect(currentSession()?.accessToken).toBe("access-2");
  });

  test("lets a complete profile pass without a call", async () => {
    const seen = stubGateway({});
    saveSession(aSession());
    savePlayer(aPlayer());
    expect(await redirectOf("/account/wallet")).toBeNull();
    expect(seen).toHaveLength(0);
  });

  test.each(["name", "username", "email", "dob", "gender", "phone"])(
    "redirects a profile without %s to the profile screen",
    async (field) => {
      saveSession(aSession());
      savePlayer(aPlayer({ [field]: null }));
      expect(await redirectOf("/account/wallet")).toBe("/profile?from=%2Faccount%2Fwallet");
      expect(toast.info).toHaveBeenCalledWith("You need to update your profile details to proceed");
      expect(await redirectOf("/profile")).toBeNull();
      expect(toast.info).toHaveBeenCalledOnce();
    },
  );

  test("keeps the first requested page across later visits to home, until the profile is complete", async () => {
    saveSession(aSession());
    savePlayer(aPlayer({ name: null }));
    expect(await redirectOf("/referral")).toBe("/profile?from=%2Freferral");
    expect(await redirectOf("/dashboard")).toBe("/profile?from=%2Freferral");
    saveSession(aSession({ uid: "p2" }));
    savePlayer(aPlayer({ id: "p2", uid: "p2", name: null }));
    expect(await redirectOf("/dashboard")).toBe("/profile");
    saveSession(aSession());
    savePlayer(aPlayer());
    expect(await redirectOf("/dashboard")).toBeNull();
    savePlayer(aPlayer({ name: null }));
    expect(await redirectOf("/dashboard")).toBe("/profile");
  });

  test("adds no requested page for home, where the profile screen leads anyway", async () => {
    saveSession(aSession());
    savePlayer(aPlayer({ name: null }));
    expect(await redirectOf("/dashboard")).toBe("/profile");
  });

  test.each([
    ["replaces the history entry when the browser is already at the guarded page", "/account/wallet", true],
    ["keeps the history entry of the page whose link was pressed", "/dashboard", false],
  ])("%s", async (_what, standsAt, replaces) => {
    window.history.replaceState(null, "", standsAt);
    const request = new Request("http://playon.test/account/wallet");
    const sent = await guard({ request } as Parameters<typeof guard>[0]).catch((cause: Response) => cause);
    expect(sent?.headers.get("location")).toBe("/login?from=%2Faccount%2Fwallet");
    expect(sent?.headers.has("X-Remix-Replace")).toBe(replaces);
  });

  test("renews the token and fetches the profile when none is stored", async () => {
    saveSession(aSession());
    const seen = stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }),
    });
    expect(await redirectOf("/account/wallet")).toBeNull();
    expect(seen.map(({ path }) => path)).toEqual(["/auth/refresh", "/auth/login"]);
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-2");
  });

  test("fetches the profile with the current token when that cannot be renewed", async () => {
    saveSession(aSession());
    const seen = stubGateway({
      [REFRESH]: () => ({ statusCode: 429, payload: { code: "RATE_LIMITED" } }),
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }),
    });
    expect(await redirectOf("/account/wallet")).toBeNull();
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-1");
  });

  test("renews a token that expires soon, and fetches the profile again", async () => {
    saveSession(aSession({ expirationTime: Date.now() + 60_000 }));
    savePlayer(aPlayer());
    const seen = stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer({ phone: null }) }),
    });
    expect(await redirectOf("/account/wallet")).toBe("/profile?from=%2Faccount%2Fwallet");
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-2");
  });

  test("redirects to the login and drops the session when the server has ended it", async () => {
    saveSession(aSession());
    stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 401, payload: { code: "UNAUTHENTICATED" } }),
    });
    expect(await redirectOf("/account/wallet")).toBe("/login?from=%2Faccount%2Fwallet");
    expect(currentSession()).toBeNull();
  });

  test("keeps a session that another tab renewed meanwhile", async () => {
    saveSession(aSession());
    stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => {
        saveSession(aSession({ accessToken: "access-3", refreshToken: "refresh-3" }));
        return { statusCode: 401, payload: { code: "UNAUTHENTICATED" } };
      },
    });
    expect(await redirectOf("/account/wallet")).toBeNull();
    expect(currentSession()?.accessToken).toBe("access-3");
  });

  test("passes with the stored profile when the server cannot be reached", async () => {
    saveSession(aSession({ expirationTime: Date.now() }));
    savePlayer(aPlayer());
    stubGateway({ "POST /auth/refresh": () => new TypeError("Failed to fetch") });
    expect(await redirectOf("/account/wallet")).toBeNull();
  });
});

describe("the guest guard of the login", () => {
  async function leadsTo(path: string): Promise<string | null> {
    const request = new Request(`http://playon.test${path}`);
    try {
      return await guestsOnly({ request } as Parameters<typeof guestsOnly>[0]);
    } catch (cause) {
      return cause instanceof Response ? cause.headers.get("location") : String(cause);
    }
  }

  test("lets a guest pass", async () => {
    expect(await leadsTo("/login")).toBeNull();
  });

  test("redirects a player whom the session cookie signs in", async () => {
    saveSession(aSession());
    sessionStorage.clear();
    stubGateway({ [REFRESH]: renewed });
    expect(await leadsTo("/login?from=%2Fchat")).toBe("/chat");
  });

  test.each([
    ["/login", "/dashboard"],
    ["/login?from=%2Faccount%2Fwallet", "/account/wallet"],
  ])("redirects a signed-in player from %s to %s", async (path, place) => {
    saveSession(aSession());
    expect(await leadsTo(path)).toBe(place);
  });
});

describe("the guard of the games", () => {
  async function leadsTo(path: string): Promise<string | null> {
    const request = new Request(`http://playon.test${path}`);
    try {
      return await guardPlayers({ request } as Parameters<typeof guardPlayers>[0]);
    } catch (cause) {
      return cause instanceof Response ? cause.headers.get("location") : String(cause);
    }
  }

  test.each(["/games", "/games/g1", "/games/g1?tournamentId=c1"])("lets a guest open %s", async (path) => {
    expect(await leadsTo(path)).toBeNull();
  });

  test.each([
    ["/games/g1?play=1", "/login?from=%2Fgames%2Fg1%3Fplay%3D1"],
    ["/games/g1?play=1&tournamentId=c1", "/login?from=%2Fgames%2Fg1%3Fplay%3D1%26tournamentId%3Dc1"],
  ])("asks a guest to sign in for the run that counts of %s", async (path, login) => {
    expect(await leadsTo(path)).toBe(login);
  });

  test("sends a player without a complete profile to the profile", async () => {
    saveSession(aSession());
    savePlayer(aPlayer({ username: null }));
    expect(await leadsTo("/games/g1")).toBe("/profile?from=%2Fgames%2Fg1");
  });
});
