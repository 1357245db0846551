import { expect, it } from "vitest";
import { limited, within } from "@/lib/text";

it("limits a text by the characters that the server counts", () => {
  expect(limited("😀".repeat(4_000), 4_000)).toBe("😀".repeat(4_000));
  expect(limited("😀".repeat(4_001), 4_000)).toBe("😀".repeat(4_000));
  expect(limited("abc", 2)).toBe("ab");
  expect(limited("abc", 3)).toBe("abc");
});

it("takes nothing more in a field that is full, and the beginning of what is pasted into another", () => {
  expect(within("abc", "axbc", 3)).toBe("abc");
  expect(within("ab", "abcd", 3)).toBe("abc");
  expect(within("abc", "ab", 3)).toBe("ab");
});
