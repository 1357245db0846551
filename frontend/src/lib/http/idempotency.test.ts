import { expect, test } from "vitest";
import { Fault } from "@/lib/http/fault";
import { oncePerIntent } from "@/lib/http/idempotency";

const body = { amount: 100 };
const lost = new Fault("lost", { code: "OFFLINE", status: 0 });
const refused = new Fault("no", { code: "AMOUNT_OUT_OF_RANGE", status: 400 });

async function keyOf(content: unknown, outcome?: Error): Promise<string> {
  let used = "";
  await oncePerIntent("/pay", content, async (key) => {
    used = key;
    if (outcome) throw outcome;
  }).catch(() => {});
  return used;
}

test("the same content goes under the same key until an answer came", async () => {
  const first = await keyOf(body, lost);
  expect(await keyOf(body, lost)).toBe(first);
  expect(await keyOf(body)).toBe(first);
  expect(await keyOf(body)).not.toBe(first);
});

test("other content gets another key", async () => {
  const first = await keyOf(body, lost);
  expect(await keyOf({ amount: 200 }, lost)).not.toBe(first);
});

test("a refusal is an answer", async () => {
  const first = await keyOf(body, refused);
  expect(await keyOf(body, refused)).not.toBe(first);
});

test("the failure is passed on", async () => {
  await expect(oncePerIntent("/pay", body, () => Promise.reject(lost))).rejects.toBe(lost);
});
