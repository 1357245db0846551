import { expect, test } from "vitest";
import { contactOf } from "./contacts";

test.each([
  ["Email", "help@playon.example", "mailto:help@playon.example", "help@playon.example"],
  ["Phone", "+254 712 345 678", "tel:+254712345678", "+254 712 345 678"],
  ["Whatsapp", "+254 712 345 678", "https://wa.me/254712345678", "+254 712 345 678"],
  ["Whatsapp", "https://wa.me/254712345678", "https://wa.me/254712345678", "+254712345678"],
  ["Instagram", "https://www.instagram.com/playon", "https://www.instagram.com/playon", "@playon"],
  ["Twitter", "https://x.com/playon", "https://x.com/playon", "@playon"],
  ["Twitter", "https://x.com", "https://x.com/", "x.com"],
])("%s %s becomes a link", (name, value, href, text) => {
  expect(contactOf({ name, value })).toMatchObject({ href, text });
});

test.each([
  ["Email", "help@playon.example?bcc=all@example.com"],
  ["Phone", "0712"],
  ["Instagram", "javascript:alert(1)"],
  ["Twitter", "http://x.com/playon"],
  ["Fax", "+254 712 345 678"],
])("%s %s is left out", (name, value) => {
  expect(contactOf({ name, value })).toBeNull();
});
