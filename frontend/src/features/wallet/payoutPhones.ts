import * as z from "zod/mini";
import type { PayoutPhone, SentPayoutCode } from "@/features/wallet/api/payoutPhones";
import { timeAndDate } from "@/lib/format";
import { subscriberOf } from "@/lib/phone";
import { tabStorage } from "@/lib/storage";
import { readStored } from "@/lib/stored";

/** The most by which the estimate of the server's clock is wrong. */
const CLOCK_ERROR_MS = 5_000;

/** Whether a proven phone rests: withdrawals to it are not possible yet. `now` is the server's time. */
export function isResting({ opensAt }: Pick<PayoutPhone, "opensAt">, now: number): boolean {
  return Date.parse(opensAt) > now + CLOCK_ERROR_MS;
}

/** The `{time}` and the `{date}` at which a phone opens. */
export function openingOf({ opensAt }: Pick<PayoutPhone, "opensAt">) {
  return timeAndDate(new Date(opensAt));
}

/** Whether two spellings are the same Kenyan phone. */
export function isSamePhone(one: string, other: string): boolean {
  const subscriber = subscriberOf(one);
  return subscriber !== null && subscriber === subscriberOf(other);
}

const STORAGE_KEY = "payoutCode";
const keptCode = z.object({
  /** The player who asked for the code. */
  uid: z.string(),
  phone: z.string(),
  expiresAt: z.number(),
  resendAt: z.number(),
});

/** Keeps the newest code's phone and times: the browser may unload the page while the player reads the SMS. */
export function keepPayoutCode(uid: string, { phone, expiresAt, resendAt }: SentPayoutCode): void {
  tabStorage.setItem(STORAGE_KEY, JSON.stringify({ uid, phone, expiresAt, resendAt }));
}

/** The newest code that this player has asked for in this tab; null once it was used. */
export function keptPayoutCode(uid: string): SentPayoutCode | null {
  const kept = readStored(tabStorage, STORAGE_KEY, keptCode);
  return kept?.uid === uid ? kept : null;
}

export function dropPayoutCode(): void {
  tabStorage.removeItem(STORAGE_KEY);
}
