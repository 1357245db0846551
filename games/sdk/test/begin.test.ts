import { expect, it, vi } from "vitest";
import { beginRun } from "../begin";

const begun = { statusCode: 200, payload: { seed: "-9007199254740993", level: 2, expiresAt: "" } };
const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

/** The options of a call whose attempts get these answers; the waits between them are kept. */
function options(...answers: (Response | Error)[]) {
  const waits: number[] = [];
  const call = vi.fn(async () => {
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new TypeError("offline");
    return answer;
  });
  return {
    origin: "https://app.test",
    fetch: call as unknown as typeof fetch,
    wait: async (milliseconds: number) => void waits.push(milliseconds),
    call,
    waits,
  };
}

it("gets the seed of the session's run", async () => {
  const given = options(reply(200, begun));
  expect(await beginRun("s1", given)).toEqual({
    kind: "begun",
    run: { seed: -9007199254740993n, nextSeeds: [], level: 2, inputs: "" },
  });
  const [url, request] = given.call.mock.calls[0] as unknown as [string, RequestInit];
  expect(url).toBe("https://app.test/api/runs");
  expect(JSON.parse(String(request.body))).toEqual({ session: "s1" });
});

it("gets the seeds of a live run, and what it has committed", async () => {
  const payload = { ...begun.payload, nextSeeds: ["7", "-8"], inputs: "rAIA" };
  const beginning = await beginRun("s1", options(reply(200, { payload })));
  expect(beginning).toMatchObject({ run: { nextSeeds: [7n, -8n], inputs: "rAIA" } });
  for (const broken of [{ nextSeeds: [7] }, { nextSeeds: "7" }, { inputs: "rA==" }]) {
    const cut = () => reply(200, { payload: { ...payload, ...broken } });
    expect((await beginRun("s1", options(cut(), cut(), cut()))).kind).toBe("lost");
  }
});

it("asks again after a lost network and a busy server, because the first reply may be lost", async () => {
  const given = options(new TypeError("offline"), reply(429, {}, { "Retry-After": "4" }), reply(200, begun));
  expect((await beginRun("s1", given)).kind).toBe("begun");
  expect(given.waits).toEqual([1000, 4000]);
});

it("gives up after three calls without a reply", async () => {
  expect(await beginRun("s1", options())).toEqual({ kind: "lost", retryAfter: 0 });
  const cut = () => reply(200, { payload: { seed: 5, level: 0 } });
  expect((await beginRun("s1", options(cut(), cut(), cut()))).kind).toBe("lost");
});

it("takes a refusal as the last word", async () => {
  const refused = { statusMessage: "You have played all your runs.", payload: { code: "NO_RUNS_LEFT" } };
  const given = options(reply(422, refused));
  expect(await beginRun("s1", given)).toEqual({
    kind: "refused",
    code: "NO_RUNS_LEFT",
    message: "You have played all your runs.",
  });
  expect(given.call).toHaveBeenCalledOnce();
});
