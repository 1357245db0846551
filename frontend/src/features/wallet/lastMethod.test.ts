import { expect, test } from "vitest";
import { lastMethod, lastUsedFirst, preferredMethod, rememberMethod } from "./lastMethod";

const card = { code: "CARD" };
const mpesa = { code: "MPESA" };
const wallet = { code: "WALLET" };
const methods = [card, mpesa, wallet];

test("the methods that were chosen last come first, the others keep their order", () => {
  expect(lastUsedFirst(methods)).toEqual(methods);
  rememberMethod("WALLET");
  expect(lastUsedFirst(methods)).toEqual([wallet, card, mpesa]);
  rememberMethod("MPESA");
  rememberMethod("WALLET");
  expect(lastUsedFirst(methods)).toEqual([wallet, mpesa, card]);
  expect(lastMethod()).toBe("WALLET");
});

test("a payment begins with the last used method that it offers, or with its only one", () => {
  expect(preferredMethod(methods)).toBeNull();
  expect(preferredMethod([mpesa])).toBe(mpesa);
  expect(preferredMethod([])).toBeNull();
  rememberMethod("MPESA");
  rememberMethod("WALLET");
  expect(preferredMethod(methods)).toBe(wallet);
  expect(preferredMethod([card, mpesa])).toBe(mpesa);
});
