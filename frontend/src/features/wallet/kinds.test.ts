import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { TopUp } from "@/gen/api/topUp";
import { orderOf } from "./draft";
import { canPay, nextStep, type PaymentType, paymentKinds, paymentMethods } from "./kinds";

const draft = {
  amount: 100,
  userId: "friend",
  subscriptionPackageId: "gold",
  paymentMethodId: "m1",
};

function bodyOf(type: PaymentType, phone: string | null = "0712345678") {
  return paymentKinds[type].body(orderOf({ ...draft, type }, "me", phone));
}

describe("the kinds of payment", () => {
  test.each([
    ["TOP-UP", ["MPESA", "CARD", "PAYPAL"]],
    ["WITHDRAWAL", ["MPESA"]],
    ["BOOST", ["MPESA", "CARD", "WALLET", "PAYPAL"]],
    ["SUBSCRIPTION", ["MPESA", "CARD", "WALLET", "SAFARICOM_CREDIT", "PAYPAL"]],
  ] as const)("%s offers the methods %o", (type, offered) => {
    const codes = [...Object.keys(paymentMethods), "toString"];
    expect(codes.filter((code) => nextStep(type, code) !== null).sort()).toEqual([...offered].sort());
  });

  test.each([
    ["TOP-UP", undefined, ["MPESA", "CARD"]],
    ["WITHDRAWAL", undefined, ["MPESA"]],
    ["BOOST", undefined, ["MPESA", "CARD", "WALLET"]],
    ["SUBSCRIPTION", "Gold", ["MPESA", "CARD", "WALLET"]],
    ["SUBSCRIPTION", "Bronze", ["MPESA", "CARD", "WALLET", "SAFARICOM_CREDIT"]],
  ] as const)("%s of the package %s is paid by %o", (type, packageName, methods) => {
    const codes = [...Object.keys(paymentMethods), "toString"];
    expect(codes.filter((code) => canPay(type, code, packageName))).toEqual(methods);
  });

  test("each ask the server for what their call needs", () => {
    const mpesa = { paymentMethodId: "m1", mpesaPhoneNumber: "0712345678" };
    expect(bodyOf("TOP-UP")).toEqual({ ...mpesa, amount: 100, userId: "me" });
    expect(bodyOf("BOOST")).toEqual({ ...mpesa, amount: 100, userId: "friend" });
    expect(bodyOf("WITHDRAWAL")).toEqual({ ...mpesa, amount: 100 });
    expect(bodyOf("SUBSCRIPTION")).toEqual({ ...mpesa, subscriptionPackageId: "gold" });
  });

  test.each(["TOP-UP", "BOOST"] as const)("%s sends what the gateway's document asks for", (type) => {
    expect(z.parse(TopUp, bodyOf(type))).toEqual(bodyOf(type));
    expect(paymentKinds[type].endpoint).toBe("/payments/top-up");
  });

  test("ask without a phone number where none is needed", () => {
    expect(JSON.parse(JSON.stringify(bodyOf("SUBSCRIPTION", null)))).toEqual({
      paymentMethodId: "m1",
      subscriptionPackageId: "gold",
    });
  });
});
