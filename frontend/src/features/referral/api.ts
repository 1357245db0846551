import type * as z from "zod/mini";
import type { RedeemReferral } from "@/gen/api/redeemReferral";
import { Referral as referral } from "@/gen/api/referral";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Referral = z.infer<typeof referral>;

/** The player's own code, whether they have redeemed one, and how many friends used theirs. */
export async function fetchReferral(): Promise<Referral> {
  return parsePayload(referral, await asPlayer("/referrals"));
}

/** Redeems a friend's code and returns the server's message. Possible once, and not with the player's own code. */
export async function redeemReferral(referralCode: string): Promise<string> {
  const body: RedeemReferral = { referralCode };
  return (await asPlayer("/referrals", { method: "POST", body })).statusMessage;
}
