import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startPayment } from "@/features/wallet/api/requests";
import { PaymentUpdateSchema } from "@/gen/playon/live/v1/live_pb";
import { PaymentStatus } from "@/gen/playon/types/v1/payment_pb";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { live, resetLive } from "@/test/live";
import { aPayment } from "@/test/payloads";
import { aSession } from "@/test/players";
import { followPayment, PAYMENT_TIMEOUT_MS, type Progress, STREAM_RETRY_MS } from "./followPayment";

vi.mock("@/lib/live/payments", () => import("@/test/live"));

const HELD_UNTIL = "2026-11-29T13:00:00.000Z";

function sendStatus(status: PaymentStatus, message = ""): void {
  live.watch?.onUpdate(create(PaymentUpdateSchema, { paymentId: "pay-1", status, message }));
}

/** Waits until the stream's code was requested this many times. The dynamic import does not follow the fake timers. */
async function streamRequested(times: number) {
  while (live.subscriptions < times) await vi.dynamicImportSettled();
}

async function follow() {
  const received: Progress[] = [];
  const lives: boolean[] = [];
  const stop = followPayment(
    "pay-1",
    (progress) => received.push(progress),
    (isLive) => lives.push(isLive),
  );
  await streamRequested(1);
  return { received, lives, stop };
}

function answers(status: string, message = "") {
  return stubGateway({
    "GET /payments/pay-1": () => ({
      statusCode: 200,
      payload: { ...aPayment(), status, message },
    }),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  resetLive();
  saveSession(aSession());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a followed payment", () => {
  test("that operators look at waits for them without a timeout", async () => {
    stubGateway({
      "GET /payments/pay-1": () => ({
        statusCode: 200,
        payload: { ...aPayment({ heldUntil: HELD_UNTIL }), status: "PENDING", message: "We look." },
      }),
    });
    const { received } = await follow();
    await vi.advanceTimersByTimeAsync(2 * PAYMENT_TIMEOUT_MS);
    const held = { status: "PENDING", message: "We look.", heldUntil: HELD_UNTIL };
    expect(received).toEqual([held]);
    const seconds = BigInt(Date.parse(HELD_UNTIL) / 1000);
    live.watch?.onUpdate(
      create(PaymentUpdateSchema, {
        paymentId: "pay-1",
        status: PaymentStatus.PENDING,
        message: "We look.",
        heldUntil: { seconds, nanos: 0 },
      }),
    );
    expect(received).toEqual([held, held]);
    sendStatus(PaymentStatus.COMPLETED);
    expect(received.at(-1)?.status).toBe("COMPLETED");
  });

  test("reports the stream's statuses up to the final one", async () => {
    const { received } = await follow();
    sendStatus(PaymentStatus.PENDING);
    sendStatus(PaymentStatus.IN_PROGRESS);
    sendStatus(PaymentStatus.COMPLETED);
    sendStatus(PaymentStatus.ERROR);
    expect(received.map(({ status }) => status)).toEqual(["PENDING", "IN_PROGRESS", "COMPLETED"]);
    expect(live.stopped).toBe(1);
  });

  test("reports the server's reason for a failure", async () => {
    const { received } = await follow();
    sendStatus(PaymentStatus.ERROR, "The PIN was wrong.");
    expect(received).toEqual([{ status: "ERROR", message: "The PIN was wrong." }]);
  });

  test("reports whether its updates are live, until it is final", async () => {
    const { lives } = await follow();
    live.watch?.onLive(true);
    live.watch?.onLive(false);
    live.watch?.onLive(true);
    sendStatus(PaymentStatus.COMPLETED);
    live.watch?.onLive(false);
    expect(lives).toEqual([true, false, true]);
  });

  test("is fetched by a plain call when the stream is lost", async () => {
    const { received } = await follow();
    answers("COMPLETED");
    live.watch?.onLost();
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("is polled once more after 120 s, and the reply counts", async () => {
    const seen = answers("COMPLETED");
    const { received } = await follow();
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(received).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("times out 120 s after it was created, not after it was opened", async () => {
    const made = Date.now() - 100_000;
    const id = `${made
      .toString(16)
      .padStart(12, "0")
      .replace(/(.{8})/, "$1-")}-7000-8000-000000000000`;
    const payload = aPayment({ paymentId: id });
    const seen = stubGateway({ [`GET /payments/${id}`]: () => ({ statusCode: 200, payload }) });
    const received: Progress[] = [];
    followPayment(id, (progress) => received.push(progress));
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS - 100_000 - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(received.at(-1)).toMatchObject({ status: "ERROR", open: true });
  });

  test.each([
    ["the payment is still open", () => answers("IN_PROGRESS")],
    [
      "the server does not reply",
      () => stubGateway({ "GET /payments/pay-1": () => new TypeError("Failed to fetch") }),
    ],
  ])("ends in the error state after 120 s when %s", async (_why, arrange) => {
    arrange();
    const { received } = await follow();
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS);
    expect(received.at(-1)?.status).toBe("ERROR");
    expect(received.at(-1)?.message).toMatch(/^M-Pesa has not confirmed your payment yet/);
  });

  test.each([
    ["a card", { txGwSessionUrl: "https://checkout.paystack.com/abc" }, /^Your payment is not confirmed yet/],
    ["a withdrawal", { type: "WITHDRAWAL" }, /^M-Pesa has not confirmed the withdrawal yet/],
  ])("that another tab started ends with the text for %s", async (_what, payload, text) => {
    stubGateway({
      "GET /payments/pay-1": () => ({ statusCode: 200, payload: { ...aPayment(), ...payload } }),
    });
    const { received } = await follow();
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS);
    expect(received.at(-1)?.message).toMatch(text);
  });

  test.each([
    ["a final status", PaymentStatus.COMPLETED, false],
    ["no final status", PaymentStatus.IN_PROGRESS, true],
  ])("keeps its idempotency key until the server reports its end: %s", async (_what, status, kept) => {
    const payload = aPayment();
    const seen = stubGateway({
      "POST /payments/top-up": () => ({ statusCode: 200, payload }),
      "GET /payments/pay-1": () => ({ statusCode: 200, payload }),
    });
    const request = { paymentMethodId: "m1", amount: 100, mpesaPhoneNumber: "0712345678", userId: "p1" };
    await startPayment("TOP-UP", request);
    const { received } = await follow();
    sendStatus(status);
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS);
    expect(received.at(-1)?.status).toBe(kept ? "ERROR" : "COMPLETED");
    await startPayment("TOP-UP", request);
    const keys = seen.flatMap(({ headers }) => headers.get("idempotency-key") ?? []);
    expect(keys[1] === keys[0]).toBe(kept);
  });

  test("is polled while the stream's code cannot be loaded, and loads it again later", async () => {
    live.failedLoads = 1;
    const seen = answers("PENDING");
    const { received } = await follow();
    await vi.advanceTimersByTimeAsync(0);
    expect(received.map(({ status }) => status)).toEqual(["PENDING"]);
    expect(live.watch).toBeNull();
    await vi.advanceTimersByTimeAsync(STREAM_RETRY_MS);
    await streamRequested(2);
    sendStatus(PaymentStatus.COMPLETED);
    expect(received.map(({ status }) => status)).toEqual(["PENDING", "COMPLETED"]);
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
    const { received, stop } = await follow();
    stop();
    sendStatus(PaymentStatus.COMPLETED);
    await vi.advanceTimersByTimeAsync(PAYMENT_TIMEOUT_MS);
    expect(received).toEqual([]);
    expect(seen).toHaveLength(0);
  });
});
