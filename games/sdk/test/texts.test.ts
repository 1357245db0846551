import { expect, it } from "vitest";
import { chooseLanguage, ordinal, translate } from "../texts";

it("ordinals are English ones, and plain numbers in Swahili", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 112, 1003].map((rank) => ordinal(rank, "en"))).toEqual([
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "112th",
    "1,003rd",
  ]);
  expect(ordinal(2, "sw")).toBe("2");
});

it("the language is the link's, else the chosen one, else the phone's", () => {
  expect(chooseLanguage("sw", "en", ["en-GB"])).toBe("sw");
  expect(chooseLanguage(null, "sw", ["en-GB"])).toBe("sw");
  expect(chooseLanguage("fr", null, ["fr", "sw-KE"])).toBe("sw");
  expect(chooseLanguage(null, null, ["fr"])).toBe("en");
  expect(translate("sw", "points", 5)).toBe("Alama 5");
});
