import { expect, it } from "vitest";
import { barePhone, subscriberOf } from "@/lib/phone";

it.each([
  "0712345678",
  "712345678",
  "254712345678",
  "+254 712 345 678",
  "+254 (0)712-345-678",
  "\u202a+254 712 345 678\u202c",
  "\ufeff0712\u200b345\u200e678",
  "0712\u00a0345\u202f678",
  "0712\u2011345\u2013678",
])("reads %j as one number, as the server does", (typed) => {
  expect(subscriberOf(typed)).toBe("712345678");
});

it("reads nothing else as a Kenyan number", () => {
  for (const typed of ["", "12345", "+255712345678", "0812345678", "07123456789"]) {
    expect(subscriberOf(typed)).toBeNull();
  }
  expect(barePhone("+44 20\u00a07946 0018")).toBe("+442079460018");
});
