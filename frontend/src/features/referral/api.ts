import * as z from "zod/mini";
import { asPlayer } from "@/lib/http/client";
import { payloadOf } from "@/lib/http/wire";

const referral = z.object({ referralCode: z.string(), redeemed: z.boolean(), invited: z.number() });
export type Referral = z.infer<typeof referral>;

/** The player's own code, whether they have used somebody's, and how many friends came by theirs. */
export async function fetchReferral(): Promise<Referral> {
  return payloadOf(referral, await asPlayer("/referrals"));
}

/** Says whose code brought the player here: once, and never their own. */
export async function redeemReferral(referralCode: string): Promise<void> {
  await asPlayer("/referrals", { method: "POST", body: { referralCode } });
}
