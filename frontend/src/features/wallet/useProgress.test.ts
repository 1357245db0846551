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

/** The stream's code comes by the real clock, however busy the machine is. */
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

describe("a payment followed", () => {
  test("is told as the stream tells it, and no longer once it is final", async () => {
    const { told } = await follow();
    say(PaymentStatus.PENDING);
    say(PaymentStatus.IN_PROGRESS);
    say(PaymentStatus.COMPLETED);
    say(PaymentStatus.ERROR);
    expect(told.map(({ status }) => status)).toEqual(["PENDING", "IN_PROGRESS", "COMPLETED"]);
    expect(live.stopped).toBe(1);
  });

  test("fails with the server's reason", async () => {
    const { told } = await follow();
    say(PaymentStatus.ERROR, "The PIN was wrong.");
    expect(told).toEqual([{ status: "ERROR", message: "The PIN was wrong." }]);
  });

  test("is asked for by a plain call when the stream is lost", async () => {
    const { told } = await follow();
    answers("COMPLETED");
    live.watch?.onLost();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("gets one last question after 120 s, and its answer counts", async () => {
    const seen = answers("COMPLETED");
    const { told } = await follow();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(seen).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(1);
    expect(told).toEqual([{ status: "COMPLETED", message: "" }]);
  });

  test("is waited for from when it was made, whenever it was looked up", async () => {
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
    ["nothing answers", () => stubGateway({ "GET /payments/pay-1": () => new TypeError("Failed to fetch") })],
  ])("ends in the error state after 120 s when %s", async (_why, arrange) => {
    arrange();
    const { told } = await follow();
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
    const { told } = await follow();
    say(status);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told.at(-1)?.status).toBe(kept ? "ERROR" : "COMPLETED");
    await topUp(asked);
    const keys = seen.flatMap(({ headers }) => headers.get("idempotency-key") ?? []);
    expect(keys[1] === keys[0]).toBe(kept);
  });

  test("is asked for while the stream's code cannot be had, which is then fetched again", async () => {
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

  test("opens no stream for a screen that was left while its code was on the way", async () => {
    const stop = followPayment("pay-1", () => {});
    stop();
    await vi.dynamicImportSettled();
    expect(live.watch).toBeNull();
  });

  test("is left alone once nobody looks", async () => {
    const seen = answers("COMPLETED");
    const { told, stop } = await follow();
    stop();
    say(PaymentStatus.COMPLETED);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(told).toEqual([]);
    expect(seen).toHaveLength(0);
  });
});
