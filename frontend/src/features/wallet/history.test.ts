import { describe, expect, test } from "vitest";
import { PAGE_SIZE, type Transaction } from "@/features/wallet/api/requests";
import { aTransaction } from "@/test/payloads";
import {
  byDay,
  directionOf,
  isListed,
  type TransactionList,
  titleOf,
  withNewest,
  withOlder,
} from "./history";

const unset = { mpesaTransactionDate: null, mpesaRransactionDate: null, receipt: null };
const ok = { ...unset, successful: true, transactionCompletedDateTime: null };
const failed = { ...ok, successful: false };

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

test.each([
  ["TOPUP_WALLET", "BOOST", "Boost received"],
  ["BOOST_FRIEND", "BOOST", "Boost a friend"],
  ["TOPUP_WALLET", "PRIZE", "Prize"],
  ["WITHDRAW_WALLET", "REFUND", "Refund"],
] as const)("%s of the kind %s is called %s", (transactionDesc, kind, title) => {
  expect(titleOf({ transactionDesc, kind })).toBe(title);
});

test("groups listed transactions by day and keeps their order", () => {
  const at = (id: string, createdAt: Date, payment: Transaction["payment"] = ok): Transaction =>
    aTransaction({ id, createdAt: createdAt.toISOString(), payment });
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

describe("the fetched rows", () => {
  const row = (number: number) => aTransaction({ id: `t${number}` });
  /** The rows with these numbers, newest (highest) first. */
  const rows = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => row(from - index));
  const ids = ({ rows }: TransactionList) => rows.map(({ id }) => id);

  test("take a newer head without losing the older rows", () => {
    const list: TransactionList = { rows: rows(200, 1), hasMore: false };
    const next = withNewest(list, rows(203, 201 - PAGE_SIZE + 3));
    expect(ids(next)).toEqual(ids({ rows: rows(203, 1), hasMore: false }));
    expect(next.hasMore).toBe(false);
  });

  test("are dropped when there would be a gap after the head", () => {
    const list: TransactionList = { rows: rows(200, 1), hasMore: false };
    expect(withNewest(list, rows(500, 501 - PAGE_SIZE))).toEqual({
      rows: rows(500, 501 - PAGE_SIZE),
      hasMore: true,
    });
  });

  test.each([
    [0, false],
    [PAGE_SIZE - 1, false],
    [PAGE_SIZE, true],
  ])("of a first page with %d rows have more: %s", (count, hasMore) => {
    expect(withNewest(undefined, rows(count, 1)).hasMore).toBe(hasMore);
  });

  test("grow by the next page, whose first rows may be known", () => {
    const list: TransactionList = { rows: rows(203, 101), hasMore: true };
    const next = withOlder(list, rows(103, 104 - PAGE_SIZE));
    expect(ids(next)).toEqual(ids({ rows: rows(203, 104 - PAGE_SIZE), hasMore: true }));
    expect(withOlder(next, rows(3, 1)).hasMore).toBe(false);
  });
});
