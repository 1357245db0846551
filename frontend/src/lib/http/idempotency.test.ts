import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import {
  acceptedResult,
  INTENT_LIFETIME_MS,
  MAX_INTENTS,
  releaseKey,
  withIdempotencyKey,
} from "@/lib/http/idempotency";

const path = "/pay";
const lost = new Fault("lost", { code: "OFFLINE", status: 0 });
const refused = new Fault("no", { code: "AMOUNT_OUT_OF_RANGE", status: 400, path });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Makes a call that ends with this outcome and returns the key it was sent with. */
async function keyOf(fingerprint: string, outcome?: Error): Promise<string> {
  let used = "";
  const run = async (key: string) => {
    used = key;
    if (outcome) throw outcome;
    return "pay-1";
  };
  await withIdempotencyKey({ path, fingerprint, run, resultOf: (id) => id }).catch(() => {});
  return used;
}

test("equal calls use the same key until their result is settled", async () => {
  const first = await keyOf("100", lost);
  expect(await keyOf("100", lost)).toBe(first);
  expect(await keyOf("100")).toBe(first);
  expect(await keyOf("100")).toBe(first);
  releaseKey("pay-0");
  expect(await keyOf("100")).toBe(first);
  releaseKey("pay-1");
  expect(await keyOf("100")).not.toBe(first);
});

test("a different call gets another key", async () => {
  expect(await keyOf("200", lost)).not.toBe(await keyOf("100", lost));
});

test("a refused call releases its key", async () => {
  const first = await keyOf("100", refused);
  expect(await keyOf("100", refused)).not.toBe(first);
});

test.each([
  ["a refused token", new Fault("who?", { code: "UNAUTHENTICATED", status: 401, path })],
  ["a refused renewal", new Fault("no", { code: "SESSION_REVOKED", status: 401, path: "/auth/refresh" })],
  ["another call's refusal", new Fault("no", { code: "INVALID", status: 400, path: "/auth/refresh" })],
  ["an ingress's error page", new Fault("?", { code: BAD_REPLY, status: 404 })],
  ["a rate limit", new Fault("slowly", { code: "RATE_LIMITED", status: 429, path })],
  ["an unavailable server", new Fault("later", { code: "UNAVAILABLE", status: 503, path })],
])("%s keeps the key, because the money may have moved", async (_what, cause) => {
  const first = await keyOf("100", cause);
  expect(await keyOf("100", cause)).toBe(first);
});

test("a reopened page finds the key again", async () => {
  const first = await keyOf("100", lost);
  sessionStorage.clear();
  expect(await keyOf("100", lost)).toBe(first);
});

test("an equal call after ten minutes gets a new key", async () => {
  const first = await keyOf("100", lost);
  vi.advanceTimersByTime(INTENT_LIFETIME_MS - 1);
  expect(await keyOf("100", lost)).toBe(first);
  vi.advanceTimersByTime(1);
  expect(await keyOf("100", lost)).not.toBe(first);
});

test("an accepted call is found by its fingerprint until it is settled", async () => {
  await keyOf("100", lost);
  expect(acceptedResult(path, "100")).toBeNull();
  await keyOf("100");
  expect(acceptedResult(path, "100")).toBe("pay-1");
  expect(acceptedResult(path, "200")).toBeNull();
  releaseKey("pay-1");
  expect(acceptedResult(path, "100")).toBeNull();
});

test("a failure is passed on to the caller", async () => {
  const run = () => Promise.reject(lost);
  await expect(withIdempotencyKey({ path, fingerprint: "100", run, resultOf: String })).rejects.toBe(lost);
});

describe("other payments in between", () => {
  test("do not change a payment's key: its reply was lost, so paying it again must not pay twice", async () => {
    const a = await keyOf("A", lost);
    const b = await keyOf("B");
    expect(await keyOf("A", lost)).toBe(a);
    expect(await keyOf("B")).toBe(b);
  });

  test("are released alone", async () => {
    const a = await keyOf("A", lost);
    await keyOf("B", refused);
    await keyOf("C");
    releaseKey("pay-1");
    expect(await keyOf("A", lost)).toBe(a);
  });

  test("do not fill the storage: the oldest keys are dropped", async () => {
    const first = await keyOf("0", lost);
    const second = await keyOf("1", lost);
    for (let other = 2; other <= MAX_INTENTS; other++) await keyOf(String(other), lost);
    expect(await keyOf("1", lost)).toBe(second);
    expect(await keyOf("0", lost)).not.toBe(first);
  });
});

test.each(["not JSON", "7", '[{"key":1}]'])("a storage that holds %s is read as empty", async (stored) => {
  localStorage.setItem("intents", stored);
  expect(acceptedResult(path, "100")).toBeNull();
  expect(await keyOf("100", lost)).toBe(await keyOf("100", lost));
});
