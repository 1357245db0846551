import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { currentSession, savePlayer, saveSession } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { stubGateway } from "@/test/gateway";
import { aPlayer, aSession } from "@/test/players";
import { guard, visitorsOnly } from "./guard";

const REFRESH = "POST /auth/refresh";
const renewed = () => ({
  statusCode: 200,
  payload: aSession({ accessToken: "access-2", refreshToken: "refresh-2" }),
});

/** Where the guard sends a visit to; null when it lets it in. */
async function verdict(path: string): Promise<string | null> {
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
  test("sends a visitor to the login, carrying the place", async () => {
    expect(await verdict("/account/wallet?day=1")).toBe("/login?from=%2Faccount%2Fwallet%3Fday%3D1");
  });

  test("lets a complete profile in without a call", async () => {
    const seen = stubGateway({});
    saveSession(aSession());
    savePlayer(aPlayer());
    expect(await verdict("/account/wallet")).toBeNull();
    expect(seen).toHaveLength(0);
  });

  test.each(["name", "username", "email", "dob", "gender", "phone"])(
    "sends a profile without %s to the profile",
    async (field) => {
      saveSession(aSession());
      savePlayer(aPlayer({ [field]: null }));
      expect(await verdict("/account/wallet")).toBe("/profile?from=%2Faccount%2Fwallet");
      expect(toast.info).toHaveBeenCalledWith("You need to update your profile details to proceed");
      expect(await verdict("/profile")).toBeNull();
      expect(toast.info).toHaveBeenCalledOnce();
    },
  );

  test("keeps the place first asked for when the way back leads home, until the profile is complete", async () => {
    saveSession(aSession());
    savePlayer(aPlayer({ name: null }));
    expect(await verdict("/referral")).toBe("/profile?from=%2Freferral");
    expect(await verdict("/dashboard")).toBe("/profile?from=%2Freferral");
    saveSession(aSession({ uid: "p2" }));
    savePlayer(aPlayer({ id: "p2", uid: "p2", name: null }));
    expect(await verdict("/dashboard")).toBe("/profile");
    saveSession(aSession());
    savePlayer(aPlayer());
    expect(await verdict("/dashboard")).toBeNull();
    savePlayer(aPlayer({ name: null }));
    expect(await verdict("/dashboard")).toBe("/profile");
  });

  test("carries no place that the profile leads to anyway", async () => {
    saveSession(aSession());
    savePlayer(aPlayer({ name: null }));
    expect(await verdict("/dashboard")).toBe("/profile");
  });

  test.each([
    [
      "replaces a page that the browser stands at, so that back does not lead into it again",
      "/account/wallet",
      true,
    ],
    ["keeps the page that a link was pressed on", "/dashboard", false],
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
    expect(await verdict("/account/wallet")).toBeNull();
    expect(seen.map(({ path }) => path)).toEqual(["/auth/refresh", "/auth/login"]);
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-2");
  });

  test("fetches the profile by the token there is when that cannot be renewed now", async () => {
    saveSession(aSession());
    const seen = stubGateway({
      [REFRESH]: () => ({ statusCode: 429, payload: { code: "RATE_LIMITED" } }),
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer() }),
    });
    expect(await verdict("/account/wallet")).toBeNull();
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-1");
  });

  test("renews a token near its end and fetches the profile again", async () => {
    saveSession(aSession({ expirationTime: Date.now() + 60_000 }));
    savePlayer(aPlayer());
    const seen = stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 200, payload: aPlayer({ phone: null }) }),
    });
    expect(await verdict("/account/wallet")).toBe("/profile?from=%2Faccount%2Fwallet");
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-2");
  });

  test("sends a player whose session was ended to the login, and forgets the session", async () => {
    saveSession(aSession());
    stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => ({ statusCode: 401, payload: { code: "UNAUTHENTICATED" } }),
    });
    expect(await verdict("/account/wallet")).toBe("/login?from=%2Faccount%2Fwallet");
    expect(currentSession()).toBeNull();
  });

  test("does not take a session for ended that another tab has renewed meanwhile", async () => {
    saveSession(aSession());
    stubGateway({
      [REFRESH]: renewed,
      "GET /auth/login": () => {
        saveSession(aSession({ accessToken: "access-3", refreshToken: "refresh-3" }));
        return { statusCode: 401, payload: { code: "UNAUTHENTICATED" } };
      },
    });
    expect(await verdict("/account/wallet")).toBeNull();
    expect(currentSession()?.accessToken).toBe("access-3");
  });

  test("opens what is stored when no server answers", async () => {
    saveSession(aSession({ expirationTime: Date.now() }));
    savePlayer(aPlayer());
    stubGateway({ "POST /auth/refresh": () => new TypeError("Failed to fetch") });
    expect(await verdict("/account/wallet")).toBeNull();
  });
});

describe("the login", () => {
  function leadsTo(path: string): string | null {
    const request = new Request(`http://playon.test${path}`);
    try {
      return visitorsOnly({ request } as Parameters<typeof visitorsOnly>[0]);
    } catch (cause) {
      return cause instanceof Response ? cause.headers.get("location") : String(cause);
    }
  }

  test("is for visitors", () => {
    expect(leadsTo("/login")).toBeNull();
  });

  test.each([
    ["/login", "/dashboard"],
    ["/login?from=%2Faccount%2Fwallet", "/account/wallet"],
  ])("at %s leads a player on to %s", (path, place) => {
    saveSession(aSession());
    expect(leadsTo(path)).toBe(place);
  });
});
