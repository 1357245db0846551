import * as z from "zod/mini";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const referral = z.object({ referralCode: z.string(), redeemed: z.boolean(), invited: z.number() });
export type Referral = z.infer<typeof referral>;

/** The player's own code, whether they have redeemed one, and how many friends used theirs. */
export async function fetchReferral(): Promise<Referral> {
  return parsePayload(referral, await asPlayer("/referrals"));
}

/** Redeems a friend's code and returns the server's message. Possible once, and not with the player's own code. */
export async function redeemReferral(referralCode: string): Promise<string> {
  return (await asPlayer("/referrals", { method: "POST", body: { referralCode } })).statusMessage;
}
