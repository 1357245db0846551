import { expect, it } from "vitest";
import { limited } from "@/lib/text";

it("limits a text by the characters that the server counts", () => {
  expect(limited("😀".repeat(4_000), 4_000)).toBe("😀".repeat(4_000));
  expect(limited("😀".repeat(4_001), 4_000)).toBe("😀".repeat(4_000));
  expect(limited("abc", 2)).toBe("ab");
  expect(limited("abc", 3)).toBe("abc");
});
