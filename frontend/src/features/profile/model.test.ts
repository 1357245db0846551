import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { addTexts, changeLanguage } from "@/lib/i18n/i18n";
import { texts as swahili } from "./locales/sw";
import { displayOf, type Field, latestBirthday, schemaOf } from "./model";

const today = new Date(2026, 10, 21);

function problemOf(field: Field, value: string): string | null {
  const parsed = z.safeParse(schemaOf(field, today), value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? "");
}

describe("a profile field", () => {
  test.each([
    ["name", "Please enter your name."],
    ["username", "Please enter a username."],
    ["email", "Please enter your email."],
    ["dob", "Please enter your date of birth."],
    ["gender", "Please enter your gender."],
    ["phone", "Please enter your phone number."],
  ] as const)("%s is required, and a placeholder counts as empty", (field, message) => {
    expect(problemOf(field, "")).toBe(message);
    expect(problemOf(field, "   ")).toBe(message);
    expect(problemOf(field, field === "phone" ? "Enter number." : "Not set. Click to set.")).toBe(message);
  });

  test.each([
    ["email", "wanjiru@", "Please enter a valid email."],
    ["email", "wanjiru@example.com", null],
    ["username", "ab", "A username has 3 to 20 letters, digits, dots or underscores."],
    ["username", "abcdefghijklmnopqrstu", "A username has 3 to 20 letters, digits, dots or underscores."],
    ["username", "wan jiru", "A username has 3 to 20 letters, digits, dots or underscores."],
    ["username", "wanjirũ", "A username has 3 to 20 letters, digits, dots or underscores."],
    ["username", " Wanjiru.K_1 ", null],
    ["gender", "LION", "Allowed gender entries: MALE,FEMALE,OTHER"],
    ["gender", "OTHER", null],
    ["dob", "2008-11-22", "You must be 18 or older to use PlayOn."],
    ["dob", "2008-11-21", null],
    ["phone", "0712345678", null],
  ] as const)("%s %s: %s", (field, value, message) => {
    expect(problemOf(field, value)).toBe(message);
  });
});

test("the latest birthday makes the player eighteen today", () => {
  expect(latestBirthday(today)).toBe("2008-11-21");
});

test("a username is sent trimmed and in lower case", () => {
  expect(z.parse(schemaOf("username", today), " Wanjiru.K_1 ")).toBe("wanjiru.k_1");
});

test("a gender is shown as a word in the player's language", async () => {
  expect(displayOf("gender", "FEMALE")).toBe("Female");
  addTexts("sw", swahili);
  await changeLanguage("sw");
  expect(displayOf("gender", "FEMALE")).toBe("Mwanamke");
  expect(displayOf("gender", "LION")).toBe("LION");
  await changeLanguage("en");
});
