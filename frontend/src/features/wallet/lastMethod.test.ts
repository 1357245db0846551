import { expect, test } from "vitest";
import { lastUsedFirst, rememberMethod } from "./lastMethod";

const methods = [{ code: "CARD" }, { code: "MPESA" }, { code: "WALLET" }];

test("the method that was chosen last comes first, the others keep their order", () => {
  expect(lastUsedFirst(methods)).toEqual(methods);
  rememberMethod("WALLET");
  expect(lastUsedFirst(methods).map(({ code }) => code)).toEqual(["WALLET", "CARD", "MPESA"]);
});
