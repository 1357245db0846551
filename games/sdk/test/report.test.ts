import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ReportState, reportRun, sendPending } from "../report";
import { type PendingRun, readPending } from "../store";

const run: PendingRun = { session: "s1", inputs: "AQE=", points: 12, slug: "x", playedAt: 0 };
const taken = { statusCode: 200, payload: { points: 12, best: 40, rank: 3, trust: "PROVEN" } };
const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

let waits: number[];
const options = (...answers: (Response | Error)[]) => {
  const call = vi.fn(async () => {
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new TypeError("offline");
    return answer;
  });
  return {
    origin: "https://app.test",
    fetch: call as unknown as typeof fetch,
    wait: async (milliseconds: number) => void waits.push(milliseconds),
    random: () => 0.5,
    call,
  };
};

beforeEach(() => {
  waits = [];
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

describe("reporting a run", () => {
  it("sends session, inputs and points without credentials, and gives the standing", async () => {
    const given = options(reply(200, taken));
    expect(await reportRun(run, given)).toEqual({
      kind: "taken",
      standing: { points: 12, best: 40, rank: 3, trust: "PROVEN" },
    });
    const [url, request] = given.call.mock.calls[0] as unknown as [string, RequestInit];
    expect(url).toBe("https://app.test/api/scores");
    expect(JSON.parse(String(request.body))).toEqual({ session: "s1", inputs: "AQE=", points: 12 });
    expect(request.credentials).toBe("omit");
    expect(readPending()).toEqual([]);
  });

  it("tries again after a lost network, a busy server and a rate limit, as long as that asks", async () => {
    const given = options(
      new TypeError("offline"),
      reply(503, {}),
      reply(429, {}, { "Retry-After": "9" }),
      reply(200, taken),
    );
    const states: ReportState["kind"][] = [];
    expect((await reportRun(run, given, (state) => states.push(state.kind))).kind).toBe("taken");
    expect(states).toEqual(["sending", "sending", "sending", "sending", "taken"]);
    expect(waits).toEqual([800, 1600, 9000]);
  });

  it("keeps the run when there is no answer, and sends it at the next start", async () => {
    expect((await reportRun(run, options())).kind).toBe("kept");
    expect(readPending()).toEqual([run]);
    const answers: ReportState["kind"][] = [];
    await sendPending(options(reply(200, taken)), (_, state) => answers.push(state.kind));
    expect(answers).toEqual(["taken"]);
    expect(readPending()).toEqual([]);
  });

  it("stops at a refusal and says why", async () => {
    const refusal = { statusMessage: "That run does not add up.", payload: { code: "SCORE_REFUSED" } };
    const given = options(reply(422, refusal));
    expect(await reportRun(run, given)).toEqual({
      kind: "refused",
      code: "SCORE_REFUSED",
      message: "That run does not add up.",
    });
    expect(given.call).toHaveBeenCalledTimes(1);
    expect(readPending()).toEqual([]);
  });

  it("leaves a run that is being reported to its own report", async () => {
    await reportRun(run, options());
    const given = options(reply(200, taken));
    await sendPending({ ...given, except: "s1" }, () => {});
    expect(given.call).not.toHaveBeenCalled();
    expect(readPending()).toEqual([run]);
  });

  it("works where nothing can be kept", async () => {
    vi.stubGlobal("localStorage", undefined);
    expect((await reportRun(run, options(reply(200, taken)))).kind).toBe("taken");
  });
});
