/**
 * The characters between digits: spaces and dashes of any kind, brackets, and the invisible marks that phone books put
 * around a number.
 */
const BETWEEN_DIGITS =
  /[\s()\-\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2010-\u2015\u2060-\u206f\u2212\ufeff]/g;
/** Kenyan mobile numbers in any usual spelling: 07…, 01…, 7…, 1…, 254…, +254…, +254 (0)7…. */
const KENYAN = /^(?:\+?254)?0?([17]\d{8})$/;

/** A typed number without the characters between its digits. */
export function barePhone(typed: string): string {
  return typed.replace(BETWEEN_DIGITS, "");
}

/** The nine digits after 254; null for a number that is not a Kenyan mobile number. */
export function subscriberOf(typed: string): string | null {
  return KENYAN.exec(barePhone(typed))?.[1] ?? null;
}

/** "+254 712 345 678" for any spelling of a Kenyan number. Other numbers are returned as typed. */
export function formatPhone(phone: string): string {
  const subscriber = subscriberOf(phone);
  return subscriber ? `+254 ${subscriber.replace(/(.{3})(?=.)/g, "$1 ")}` : phone;
}

/** "0712 … 678" for any spelling of a Kenyan number: recognisable by its owner, incomplete for an onlooker. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  const local = `0${digits.slice(-9)}`;
  return `${local.slice(0, 4)} … ${local.slice(-3)}`;
}
