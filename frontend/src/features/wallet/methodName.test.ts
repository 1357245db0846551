import { afterEach, expect, test } from "vitest";
import { addTexts, changeLanguage } from "@/lib/i18n/i18n";
import { texts as swahili } from "./locales/sw";
import { methodName } from "./methodName";

afterEach(() => changeLanguage("en"));

test.each([
  ["CARD", "Card", "Kadi"],
  ["WALLET", "Wallet", "Pochi"],
  ["SAFARICOM_CREDIT", "Safaricom airtime", "Airtime ya Safaricom"],
  ["MPESA", "M-Pesa", "M-Pesa"],
  ["PAYPAL", "PayPal", "PayPal"],
])("the method %s is named %s in English and %s in Swahili", async (code, name, translated) => {
  expect(methodName({ code, name })).toBe(name);
  addTexts("sw", swahili);
  await changeLanguage("sw");
  expect(methodName({ code, name })).toBe(translated);
});
