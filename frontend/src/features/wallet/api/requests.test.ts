import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "@/features/wallet/kinds";
import { saveSession } from "@/lib/session/session";
import { stubGateway } from "@/test/gateway";
import { aPayment } from "@/test/payloads";
import { aSession } from "@/test/players";
import { applyPaymentStatus, startPayment } from "./requests";

const request: Order = { paymentMethodId: "m1", amount: 100, mpesaPhoneNumber: "0712345678", userId: "p1" };

beforeEach(() => saveSession(aSession()));
afterEach(() => vi.unstubAllGlobals());

/** A gateway that accepts every top-up as `pay-1` and returns its status from `now`. */
function gateway(now: () => string | Error = () => "IN_PROGRESS") {
  const seen = stubGateway({
    "POST /payments/top-up": () => ({
      statusCode: 200,
      payload: aPayment(),
    }),
    "GET /payments/pay-1": () => {
      const status = now();
      return status instanceof Error ? status : { statusCode: 200, payload: { ...aPayment(), status } };
    },
  });
  return () =>
    seen.filter(({ method }) => method === "POST").map(({ headers }) => headers.get("idempotency-key"));
}

test("every spelling of a phone number is the same top-up", async () => {
  const keys = gateway();
  for (const mpesaPhoneNumber of ["0712345678", "+254712345678", "254712345678", "712345678"])
    await startPayment("TOP-UP", { ...request, mpesaPhoneNumber });
  await startPayment("TOP-UP", { ...request, mpesaPhoneNumber: "0712345679" });
  const [first, ...rest] = keys();
  expect(rest).toEqual([first, first, first, expect.not.stringMatching(String(first))]);
});

test("an equal top-up gets a new key once the payment is final", async () => {
  const keys = gateway();
  await startPayment("TOP-UP", request);
  applyPaymentStatus({ paymentId: "pay-1", status: "IN_PROGRESS" });
  await startPayment("TOP-UP", request);
  applyPaymentStatus({ paymentId: "pay-1", status: "COMPLETED" });
  await startPayment("TOP-UP", request);
  const [first, second, third] = keys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test.each([
  ["final", "ERROR", false],
  ["in progress", "IN_PROGRESS", true],
  ["unknown for lack of a connection", new TypeError("Failed to fetch"), true],
])(
  "an equal top-up first fetches the earlier payment; when that is %s (%s) the key is reused: %s",
  async (_, now, same) => {
    const keys = gateway(() => now);
    await startPayment("TOP-UP", request);
    await startPayment("TOP-UP", request);
    const [first, second] = keys();
    expect(second === first).toBe(same);
  },
);

test("A with a lost reply, then B, then A again does not pay A twice", async () => {
  const paid = new Map<string, number>();
  let isLost = true;
  stubGateway({
    "POST /payments/top-up": ({ headers, body }) => {
      // The server moves the money once for each key, whether or not its reply arrives.
      const { amount } = body as { amount: number };
      paid.set(String(headers.get("idempotency-key")), amount);
      return isLost
        ? new TypeError("Failed to fetch")
        : { statusCode: 200, payload: { ...aPayment(), paymentId: `pay-${amount}`, amount } };
    },
  });
  const pay = (amount: number) => startPayment("TOP-UP", { ...request, amount });
  await expect(pay(100)).rejects.toThrow();
  isLost = false;
  await pay(200);
  await pay(100);
  expect([...paid.values()]).toEqual([100, 200]);
});
