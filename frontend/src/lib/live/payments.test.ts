import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, expect, test, vi } from "vitest";
import { type LiveEvent, LiveEventSchema } from "@/gen/playon/live/v1/live_pb";
import type { Handlers } from "@/lib/live/keepStreamOpen";
import { aSession } from "@/test/players";

let stream: Handlers<LiveEvent> | null = null;
vi.doMock("@/lib/live/transport", () => ({
  serverStream: (_method: unknown, _request: unknown, _token: string, on: Handlers<LiveEvent>) => {
    stream = on;
    return { cancel: () => {} };
  },
}));

type Event = MessageInitShape<typeof LiveEventSchema>["event"];

function send(event: Event): void {
  stream?.event(create(LiveEventSchema, event ? { event } : {}));
}

afterEach(() => vi.useRealTimers());

test("a payment is not live while the connection or the wallet behind it is lost", async () => {
  vi.useFakeTimers();
  // Another test file of this worker may have loaded them with the real transport.
  vi.resetModules();
  const { watchPayment } = await import("@/lib/live/payments");
  const { saveSession } = await import("@/lib/session/session");
  saveSession(aSession());
  const seen: string[] = [];
  const stop = watchPayment("pay-1", {
    onUpdate: ({ paymentId }) => seen.push(paymentId),
    onRefused: (message) => seen.push(message),
    onLost: () => seen.push("lost"),
    onLive: (isLive) => seen.push(isLive ? "live" : "paused"),
  });
  await vi.advanceTimersByTimeAsync(0);
  send({ case: "hello", value: {} });
  send({ case: "payment", value: { paymentId: "pay-1" } });
  send({ case: "payment", value: { paymentId: "pay-2" } });
  send({ case: "heartbeat", value: {} });
  expect(seen.splice(0)).toEqual(["live", "pay-1"]);

  send({ case: "paused", value: {} });
  // The gateway's own connection to the page is alive meanwhile.
  send({ case: "heartbeat", value: {} });
  expect(seen.splice(0)).toEqual(["paused", "lost"]);
  send({ case: "resumed", value: {} });
  expect(seen.splice(0)).toEqual(["live"]);

  stream?.end({ code: 14, message: "Live updates are paused." });
  expect(seen.splice(0)).toEqual(["paused", "lost"]);
  await vi.advanceTimersByTimeAsync(1_000);
  send({ case: "hello", value: {} });
  expect(seen).toEqual(["live"]);
  stop();
});
