import { expect, test } from "vitest";
import type { Transaction } from "./api";
import { byDay, directionOf, isListed } from "./history";

const ok = { successful: true };
const failed = { successful: false };

test.each([
  [null, null, false],
  [ok, null, true],
  [null, ok, true],
  [failed, null, false],
  [ok, failed, false],
  [failed, ok, false],
  [ok, ok, true],
])("payment %o with payout %o is listed: %s", (payment, payout, listed) => {
  expect(isListed({ payment, payout })).toBe(listed);
});

test.each([
  ["TOPUP_WALLET", "credit"],
  ["WITHDRAW_WALLET", "debit"],
  ["BOOST_FRIEND", "debit"],
  ["SUBSCRIPTION", "debit"],
] as const)("%s is a %s", (transactionDesc, direction) => {
  expect(directionOf({ transactionDesc })).toBe(direction);
});

test("groups listed transactions by day and keeps their order", () => {
  const at = (id: string, createdAt: Date, payment: Transaction["payment"] = ok): Transaction => ({
    id,
    transactionDesc: "TOPUP_WALLET",
    amount: 1,
    createdAt: createdAt.toISOString(),
    payment,
  });
  const now = new Date(2026, 4, 20, 12);
  const days = byDay(
    [
      at("c", new Date(2026, 4, 20, 11)),
      at("failed", new Date(2026, 4, 20, 10), failed),
      at("b", new Date(2026, 4, 20, 1)),
      at("a", new Date(2026, 4, 19, 23)),
    ],
    now,
  );
  expect(days.map(({ title, transactions }) => [title, transactions.map(({ id }) => id)])).toEqual([
    ["Today", ["c", "b"]],
    ["Yesterday", ["a"]],
  ]);
});
