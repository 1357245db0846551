import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asPlayer } from "@/lib/http/client";
import { send } from "@/lib/http/envelope";
import { BAD_REPLY, Fault, OFFLINE, TIMED_OUT } from "@/lib/http/fault";
import { currentSession, saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const cause: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(cause instanceof Fault)) throw new Error(`no fault: ${String(cause)}`);
  return cause;
}

afterEach(() => vi.unstubAllGlobals());

describe("an envelope", () => {
  test("with status 201 returns its payload", async () => {
    stubGateway({ "GET /x": () => ({ statusCode: 201, payload: { a: 1 }, statusMessage: "Made" }) });
    expect(await send("/x")).toEqual({ statusCode: 201, statusMessage: "Made", payload: { a: 1 } });
  });

  test("with an error status becomes a fault with the server's message, code, fields and trace id", async () => {
    const payload = {
      code: "USERNAME_TAKEN",
      fields: { username: "That username is already taken.", odd: 1 },
    };
    stubGateway({ "GET /x": () => ({ statusCode: 409, statusMessage: "Taken.", payload }) });
    const fault = await faultOf(send("/x"));
    expect(fault).toMatchObject({ message: "Taken.", code: "USERNAME_TAKEN", status: 409, refused: true });
    expect(fault.fields).toEqual({ username: "That username is already taken." });
    expect(fault.traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  });

  test.each([
    [502, "PlayOn is not available right now. Please try again in a moment."],
    [200, "We got a reply that this page cannot read. Reload the page and try again."],
  ])(
    "with a body that is not JSON (%d) is a bad reply and asks for a reload only on success",
    async (status, message) => {
      vi.stubGlobal("fetch", async () => new Response("<html>", { status }));
      const fault = await faultOf(send("/x"));
      expect(fault).toMatchObject({ code: BAD_REPLY, status, refused: false, message });
    },
  );

  test.each([
    ["RATE_LIMITED", "817", "Too many attempts. Please wait 14 min and try again."],
    ["RATE_LIMITED", "42", "In a moment."],
    ["TOO_MANY_UPLOADS", "817", "In a moment."],
  ])("with status 429 (%s, retry after %s s) says: %s", async (code, after, message) => {
    const body = { statusCode: 429, statusMessage: "In a moment.", payload: { code } };
    const headers = { "retry-after": after };
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 429, headers }));
    expect(await faultOf(send("/x"))).toMatchObject({ code, status: 429, message });
  });

  test("that an ingress replaced with its own page does not count as refused", async () => {
    vi.stubGlobal("fetch", async () => new Response("<html>", { status: 404 }));
    expect(await faultOf(send("/x"))).toMatchObject({ code: BAD_REPLY, status: 404, refused: false });
  });

  test("that never arrives is an OFFLINE fault", async () => {
    stubGateway({ "GET /x": () => new TypeError("Failed to fetch") });
    expect(await faultOf(send("/x"))).toMatchObject({ code: OFFLINE, status: 0 });
  });

  test("that arrives too late is a TIMED_OUT fault", async () => {
    stubGateway({ "GET /x": () => new DOMException("late", "AbortError") });
    expect(await faultOf(send("/x"))).toMatchObject({ code: TIMED_OUT, status: 0 });
  });
});

describe("an authenticated call", () => {
  const renewed = () => ({
    statusCode: 200,
    payload: aSession({ accessToken: "access-2", refreshToken: "refresh-2" }),
  });

  beforeEach(() => saveSession(aSession()));

  test("carries the bearer token", async () => {
    const seen = stubGateway({ "GET /x": () => ({ statusCode: 200 }) });
    await asPlayer("/x");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer access-1");
  });

  test("first renews a token that expires within five minutes", async () => {
    saveSession(aSession({ expirationTime: Date.now() + 4 * 60_000 }));
    const seen = stubGateway({ "POST /auth/refresh": renewed, "GET /x": () => ({ statusCode: 200 }) });
    await asPlayer("/x");
    expect(seen.map(({ path }) => path)).toEqual(["/auth/refresh", "/x"]);
    expect(seen[0]?.body).toEqual({ refreshToken: "refresh-1" });
    expect(seen[1]?.headers.get("authorization")).toBe("Bearer access-2");
  });

  test("shares one renewal with all calls that were refused at the same time", async () => {
    const seen = stubGateway({
      "POST /auth/refresh": renewed,
      "GET /x": ({ headers }) => ({
        statusCode: headers.get("authorization") === "Bearer access-2" ? 200 : 401,
        payload: { code: "UNAUTHENTICATED" },
      }),
    });
    await Promise.all([asPlayer("/x"), asPlayer("/x"), asPlayer("/x")]);
    expect(seen.filter(({ path }) => path === "/auth/refresh")).toHaveLength(1);
    expect(seen.filter(({ path }) => path === "/x")).toHaveLength(6);
    expect(currentSession()?.refreshToken).toBe("refresh-2");
  });

  test("ends the session when the renewal is refused", async () => {
    stubGateway({
      "POST /auth/refresh": () => ({ statusCode: 401, payload: { code: "SESSION_REVOKED" } }),
      "GET /x": () => ({ statusCode: 401, payload: { code: "UNAUTHENTICATED" } }),
    });
    expect(await faultOf(asPlayer("/x"))).toMatchObject({ code: "SESSION_REVOKED" });
    expect(currentSession()).toBeNull();
  });

  test.each(["REAUTH_FAILED", "BAD_CREDENTIALS", "BAD_CODE", "OAUTH_FAILED"])(
    "refused with %s is neither renewed nor repeated, because the session has not expired",
    async (code) => {
      const seen = stubGateway({ "PUT /x": () => ({ statusCode: 401, payload: { code } }) });
      expect(await faultOf(asPlayer("/x", { method: "PUT", body: {} }))).toMatchObject({ code, status: 401 });
      expect(seen).toHaveLength(1);
      expect(currentSession()?.refreshToken).toBe("refresh-1");
    },
  );

  test.each([
    ["ends the session", null, () => {}],
    [
      "keeps another session that was saved meanwhile",
      "theirs",
      () => saveSession(aSession({ uid: "p2", accessToken: "theirs" })),
    ],
  ])("that is refused again after its renewal %s", async (_what, left, meanwhile) => {
    let calls = 0;
    stubGateway({
      "POST /auth/refresh": renewed,
      "GET /x": () => {
        if (++calls === 2) meanwhile();
        return { statusCode: 401, payload: { code: "UNAUTHENTICATED" } };
      },
    });
    expect(await faultOf(asPlayer("/x"))).toMatchObject({ status: 401 });
    expect(currentSession()?.accessToken ?? null).toBe(left);
  });

  test("keeps the session when the renewal fails for lack of a connection", async () => {
    saveSession(aSession({ expirationTime: Date.now() }));
    stubGateway({ "POST /auth/refresh": () => new TypeError("Failed to fetch") });
    expect(await faultOf(asPlayer("/x"))).toMatchObject({ code: OFFLINE });
    expect(currentSession()?.refreshToken).toBe("refresh-1");
  });

  test("of a guest is not sent", async () => {
    sessionStorage.clear();
    const seen = stubGateway({});
    expect(await faultOf(asPlayer("/x"))).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    expect(seen).toHaveLength(0);
  });
});
