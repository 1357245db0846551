import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PaymentUpdateSchema } from "@/gen/playon/live/v1/live_pb";
import { PaymentStatus } from "@/gen/playon/types/v1/payment_pb";
import type { PaymentWatch } from "@/lib/live/payments";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { topUp } from "./api";
import { followPayment, PATIENCE_MS, type Progress } from "./useProgress";

const live = vi.hoisted(() => ({ watch: null as PaymentWatch | null, stopped: 0 }));
vi.mock("@/lib/live/payments", () => ({
  watchPayment: (_id: string, watch: PaymentWatch) => {
    live.watch = watch;
    return () => {
      live.stopped += 1;
    };
  },
}));

function say(status: PaymentStatus, message = ""): void {
  live.watch?.onUpdate(create(PaymentUpdateSchema, { paymentId: "pay-1", status, message }));
}

function follow() {
  const told: Progress[] = [];
  const stop = followPayment("pay-1", (progress) => told.push(progress));
  return { told, stop };
}

function answers(status: string, message = "") {
  return stubGateway({
    "GET /payments/pay-1": () => ({
      statusCode: 200,
      payload: { paymentId: "pay-1", status, message, amount: 100 },
    }),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  live.stopped = 0;
  saveSession(aSession());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a payment followed", () => {
  test("is told as the stream tells it, and no longer once it is final", () => {
    const { told } = follow();
    say(PaymentStatus.PENDING);
    say(PaymentStatus.IN_PROGRESS);
    say(PaymentStatus.COMPLETED);
    say(PaymentStatus.ERROR);
    expect(told.map(({ status }) => status)).toEqual(["PENDING", "IN_PROGRESS", "COMPLETED"]);
    expect(live.stopped).toBe(1);
  });

  test("fails with the server's reason", () => {
    const { told } = follow();
    say(PaymentStatus.ERROR, "The PIN was wrong.");
    expect(told).toEqual([{ status: "ERROR", message: "The PIN was wrong." }]);
  });

  test("is asked for by a plain call when the stream is lost", async () => {
    const { told } = follow();
    answers("COMPLETED");
    live.watch?.onLost();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("gets one last question after 120 s, and its answer counts", async () => {
    const seen = answers("COMPLETED");
    const { told } = follow();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test.each([
    ["the payment is still open", () => answers("IN_PROGRESS")],
    ["nothing answers", () => stubGateway({ "GET /payments/pay-1": () => new TypeError("Failed to fetch") })],
  ])("ends in the error state after 120 s when %s", async (_why, arrange) => {
    arrange();
    const { told } = follow();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told.at(-1)?.status).toBe("ERROR");
    expect(told.at(-1)?.message).toMatch(/^We have not heard from M-Pesa in time/);
  });

  test.each([
    ["its end", PaymentStatus.COMPLETED, false],
    ["silence", PaymentStatus.IN_PROGRESS, true],
  ])("keeps the key it was asked under until the server told of its end: %s", async (_what, status, kept) => {
    const payload = { paymentId: "pay-1", status: "IN_PROGRESS", amount: 100 };
    const seen = stubGateway({
      "POST /payments/top-up": () => ({ statusCode: 200, payload }),
      "GET /payments/pay-1": () => ({ statusCode: 200, payload }),
    });
    const asked = { paymentMethodId: "m1", amount: 100, mpesaPhoneNumber: "0712345678", userId: "p1" };
    await topUp(asked);
    const { told } = follow();
    say(status);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told.at(-1)?.status).toBe(kept ? "ERROR" : "COMPLETED");
    await topUp(asked);
    const keys = seen.flatMap(({ headers }) => headers.get("idempotency-key") ?? []);
    expect(keys[1] === keys[0]).toBe(kept);
  });

  test("is left alone once nobody looks", async () => {
    const seen = answers("COMPLETED");
    const { told, stop } = follow();
    stop();
    say(PaymentStatus.COMPLETED);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told).toEqual([]);
    expect(seen).toHaveLength(0);
  });
});
