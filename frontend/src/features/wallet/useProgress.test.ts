import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PaymentUpdateSchema } from "@/gen/playon/live/v1/live_pb";
import { PaymentStatus } from "@/gen/playon/types/v1/payment_pb";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { live, silence } from "@/test/live";
import { aSession } from "@/test/players";
import { topUp } from "./api";
import { followPayment, NO_CODE_MS, PATIENCE_MS, type Progress } from "./useProgress";

vi.mock("@/lib/live/payments", () => import("@/test/live"));

function say(status: PaymentStatus, message = ""): void {
  live.watch?.onUpdate(create(PaymentUpdateSchema, { paymentId: "pay-1", status, message }));
}

/** Waits until the stream's code was requested this many times. The dynamic import does not follow the fake timers. */
async function streamAsked(times: number) {
  while (live.asked < times) await vi.dynamicImportSettled();
}

async function follow() {
  const told: Progress[] = [];
  const stop = followPayment("pay-1", (progress) => told.push(progress));
  await streamAsked(1);
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
  silence();
  saveSession(aSession());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a followed payment", () => {
  test("reports the stream's statuses up to the final one", async () => {
    const { told } = await follow();
    say(PaymentStatus.PENDING);
    say(PaymentStatus.IN_PROGRESS);
    say(PaymentStatus.COMPLETED);
    say(PaymentStatus.ERROR);
    expect(told.map(({ status }) => status)).toEqual(["PENDING", "IN_PROGRESS", "COMPLETED"]);
    expect(live.stopped).toBe(1);
  });

  test("reports the server's reason for a failure", async () => {
    const { told } = await follow();
    say(PaymentStatus.ERROR, "The PIN was wrong.");
    expect(told).toEqual([{ status: "ERROR", message: "The PIN was wrong." }]);
  });

  test("is fetched by a plain call when the stream is lost", async () => {
    const { told } = await follow();
    answers("COMPLETED");
    live.watch?.onLost();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("is polled once more after 120 s, and the reply counts", async () => {
    const seen = answers("COMPLETED");
    const { told } = await follow();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("times out 120 s after it was created, not after it was opened", async () => {
    const made = Date.now() - 100_000;
    const id = `${made
      .toString(16)
      .padStart(12, "0")
      .replace(/(.{8})/, "$1-")}-7000-8000-000000000000`;
    const payload = { paymentId: id, status: "IN_PROGRESS", amount: 100 };
    const seen = stubGateway({ [`GET /payments/${id}`]: () => ({ statusCode: 200, payload }) });
    const told: Progress[] = [];
    followPayment(id, (progress) => told.push(progress));
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 100_000 - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(told.at(-1)).toMatchObject({ status: "ERROR", open: true });
  });

  test.each([
    ["the payment is still open", () => answers("IN_PROGRESS")],
    [
      "the server does not reply",
      () => stubGateway({ "GET /payments/pay-1": () => new TypeError("Failed to fetch") }),
    ],
  ])("ends in the error state after 120 s when %s", async (_why, arrange) => {
    arrange();
    const { told } = await follow();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told.at(-1)?.status).toBe("ERROR");
    expect(told.at(-1)?.message).toMatch(/^We have not heard from M-Pesa in time/);
  });

  test.each([
    ["a final status", PaymentStatus.COMPLETED, false],
    ["no final status", PaymentStatus.IN_PROGRESS, true],
  ])("keeps its idempotency key until the server reports its end: %s", async (_what, status, kept) => {
    const payload = { paymentId: "pay-1", status: "IN_PROGRESS", amount: 100 };
    const seen = stubGateway({
      "POST /payments/top-up": () => ({ statusCode: 200, payload }),
      "GET /payments/pay-1": () => ({ statusCode: 200, payload }),
    });
    const asked = { paymentMethodId: "m1", amount: 100, mpesaPhoneNumber: "0712345678", userId: "p1" };
    await topUp(asked);
    const { told } = await follow();
    say(status);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told.at(-1)?.status).toBe(kept ? "ERROR" : "COMPLETED");
    await topUp(asked);
    const keys = seen.flatMap(({ headers }) => headers.get("idempotency-key") ?? []);
    expect(keys[1] === keys[0]).toBe(kept);
  });

  test("is polled while the stream's code cannot be loaded, and loads it again later", async () => {
    live.missing = 1;
    const seen = answers("PENDING");
    const { told } = await follow();
    await vi.advanceTimersByTimeAsync(0);
    expect(told.map(({ status }) => status)).toEqual(["PENDING"]);
    expect(live.watch).toBeNull();
    await vi.advanceTimersByTimeAsync(NO_CODE_MS);
    await streamAsked(2);
    say(PaymentStatus.COMPLETED);
    expect(told.map(({ status }) => status)).toEqual(["PENDING", "COMPLETED"]);
    expect(seen).toHaveLength(1);
  });

  test("opens no stream when the screen was left while the code was loading", async () => {
    const stop = followPayment("pay-1", () => {});
    stop();
    await vi.dynamicImportSettled();
    expect(live.watch).toBeNull();
  });

  test("makes no calls after it was stopped", async () => {
    const seen = answers("COMPLETED");
    const { told, stop } = await follow();
    stop();
    say(PaymentStatus.COMPLETED);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told).toEqual([]);
    expect(seen).toHaveLength(0);
  });
});
