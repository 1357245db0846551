import { expect, test } from "vitest";
import { aNotification } from "@/test/payloads";
import { PAGE_SIZE } from "./api";
import { withNewest, withOlder } from "./list";

const AT = "2026-11-20T09:00:00.000Z";

/** Notifications with these numbers, newest first. */
function rows(newest: number, oldest: number) {
  const count = newest - oldest + 1;
  return Array.from({ length: count }, (_, index) =>
    aNotification({ id: `n${String(newest - index).padStart(4, "0")}`, createdAt: AT }),
  );
}
const numbers = (list: { rows: readonly { id: string }[] }) => list.rows.map(({ id }) => Number(id.slice(1)));

test("older rows stay when the newest page reaches them", () => {
  const list = withOlder({ rows: rows(50, 21), hasMore: true }, rows(20, 1));
  expect(list.hasMore).toBe(false);
  const next = withNewest(list, rows(52, 52 - PAGE_SIZE + 1));
  expect(numbers(next)).toEqual(numbers({ rows: rows(52, 1) }));
  expect(next.hasMore).toBe(false);
});

test("older rows are dropped when so much has come that there would be a gap", () => {
  const next = withNewest({ rows: rows(50, 1), hasMore: false }, rows(100, 100 - PAGE_SIZE + 1));
  expect(next).toEqual({ rows: rows(100, 71), hasMore: true });
});

test("the newest page has what was read elsewhere", () => {
  const read = aNotification({ createdAt: AT, read: true });
  const next = withNewest({ rows: [aNotification({ createdAt: AT })], hasMore: false }, [read]);
  expect(next).toEqual({ rows: [read], hasMore: false });
});
