import { describe, expect, test } from "vitest";
import { formatDay, formatDayMonth, formatElapsed, formatKes, formatRelative } from "@/lib/format";
import { formatPhone, maskPhone } from "@/lib/phone";

test.each([
  [0, "KES 0.00"],
  [1250, "KES 1,250.00"],
  [249999.5, "KES 249,999.50"],
])("formats %d shillings as %s", (amount, text) => {
  expect(formatKes(amount)).toBe(text);
});

describe("a day in the history", () => {
  const now = new Date(2026, 2, 1, 0, 30);
  test.each([
    [new Date(2026, 2, 1, 0, 5), "Today"],
    [new Date(2026, 1, 28, 23, 59), "Yesterday"],
    [new Date(2026, 1, 27, 12, 0), "27 February 2026"],
  ])("%s has the heading %s", (at, title) => {
    expect(formatDay(at, now)).toBe(title);
  });
});

test("a day of a month has two figures each", () => {
  expect(formatDayMonth(new Date(2026, 0, 9, 16, 0))).toBe("09/01");
});

describe("when something happened", () => {
  const now = new Date(2026, 2, 4, 0, 30);
  test.each([
    [new Date(2026, 2, 4, 0, 5), "00:05"],
    [new Date(2026, 2, 3, 23, 59), "yesterday"],
    [new Date(2026, 2, 2, 0, 5), "2 days ago"],
    [new Date(2026, 2, 1, 12, 0), "3 days ago"],
    [new Date(2026, 1, 28, 12, 0), "28 February 2026"],
  ])("%s is shown as %s", (at, text) => {
    expect(formatRelative(at, now)).toBe(text);
  });
});

test.each(["0712345678", "712345678", "254712345678", "+254 712 345 678"])(
  "masks %s in the same way",
  (phone) => {
    expect(maskPhone(phone)).toBe("0712 … 678");
  },
);

test.each([
  ["0713 101960", "+254 713 101 960"],
  ["+254 713230693", "+254 713 230 693"],
  ["+1 (202) 555-0100", "+1 (202) 555-0100"],
])("formats the phone number %s as %s", (typed, written) => {
  expect(formatPhone(typed)).toBe(written);
});

test("elapsed time has two-digit seconds", () => {
  expect(formatElapsed(65)).toBe("1:05");
});
