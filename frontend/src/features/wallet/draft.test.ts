import { describe, expect, test } from "vitest";
import { parseDraft, phoneProblem, withDigit, withoutDigit } from "./draft";

describe("a draft in the navigation state", () => {
  test.each([
    null,
    undefined,
    "TOP-UP",
    {},
    { type: "TOP-UP" },
    { amount: 100 },
    { type: "LOTTERY", amount: 100 },
    { type: "toString", amount: 100 },
    { type: "TOP-UP", amount: 0 },
    { type: "TOP-UP", amount: 250_001 },
    { type: "TOP-UP", amount: 10.5 },
    { type: "TOP-UP", amount: "100" },
    { type: "TOP-UP", amount: Number.NaN },
  ])("is null for %o", (state) => {
    expect(parseDraft(state)).toBeNull();
  });

  test("keeps known values and drops the others", () => {
    const state = { type: "TOP-UP", amount: 100, paymentMethod: "MPESA", userId: 7, overlay: "methods" };
    expect(parseDraft(state)).toEqual({ type: "TOP-UP", amount: 100, paymentMethod: "MPESA" });
  });
});

test("digits are appended up to the limit and removed again", () => {
  expect(withDigit(0, 0, "TOP-UP")).toBe(0);
  expect(withDigit(25, 3, "TOP-UP")).toBe(253);
  expect(withDigit(25_000, 0, "TOP-UP")).toBe(250_000);
  expect(withDigit(25_000, 1, "TOP-UP")).toBeNull();
  expect(withoutDigit(253)).toBe(25);
  expect(withoutDigit(0)).toBe(0);
});

test.each(["0712345678", "0112345678", "712345678", "254712345678", "+254712345678", "+254 712 345 678"])(
  "accepts %s as a phone number",
  (phone) => {
    expect(phoneProblem(phone)).toBeNull();
  },
);

test.each(["07123", "+15551234567", "0212345678", "07123456789", "abc"])(
  "refuses %s as a phone number",
  (phone) => {
    expect(phoneProblem(phone)).toBe("Enter a Kenyan number, for example +254712345678");
  },
);

test("an empty phone number has its own message", () => {
  expect(phoneProblem("  ")).toBe("Please enter your phone number.");
});
