import type * as z from "zod/mini";
import type { ConfirmPayoutPhone } from "@/gen/api/confirmPayoutPhone";
import { PayoutPhone as payoutPhone } from "@/gen/api/payoutPhone";
import { PayoutPhoneCode as payoutPhoneCode } from "@/gen/api/payoutPhoneCode";
import { PayoutPhones as payoutPhones } from "@/gen/api/payoutPhones";
import type { StartPayoutPhone } from "@/gen/api/startPayoutPhone";
import { announce } from "@/lib/changes";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

/** A phone that the player has proven. Withdrawals to it are possible from `opensAt` on. */
export type PayoutPhone = z.infer<typeof payoutPhone>;

/** The phones that the player has proven, the newest first. */
export async function fetchPayoutPhones(): Promise<PayoutPhone[]> {
  return parsePayload(payoutPhones, await asPlayer("/payout-phones")).phones;
}

/** A code that was sent to a phone by SMS. Times are in ms since the epoch, by the server's clock. */
export interface SentPayoutCode {
  readonly phone: string;
  readonly expiresAt: number;
  /** When another code may be requested. */
  readonly resendAt: number;
}

/** Sends a code to a phone that is to get withdrawals. */
export async function startPayoutPhone(phone: string): Promise<SentPayoutCode> {
  const body: StartPayoutPhone = { phone };
  const reply = await asPlayer("/payout-phones/start", { method: "POST", body });
  const sent = parsePayload(payoutPhoneCode, reply);
  return { phone: sent.phone, expiresAt: Date.parse(sent.expiresAt), resendAt: Date.parse(sent.resendAt) };
}

/** Proves the phone that the newest code was sent to. */
export async function confirmPayoutPhone(code: string): Promise<PayoutPhone> {
  const body: ConfirmPayoutPhone = { code };
  const reply = await asPlayer("/payout-phones/confirm", { method: "POST", body });
  const proven = parsePayload(payoutPhone, reply);
  announce("payout-phone/proven");
  return proven;
}
