import type { Translation } from "@/lib/i18n/i18n";
import type { texts as english } from "./en";

export const texts = {
  "referral.title": "Je, una msimbo wa mwaliko?",
  "referral.line": "Kama rafiki alikualika PlayOn, weka msimbo wake hapa.",
  "referral.code": "Weka msimbo wa mwaliko (si lazima)",
  "referral.continue": "Endelea",
  "referral.without": "Endelea bila msimbo",
  "referral.redeemed": "Umeshatumia msimbo wa mwaliko.",

  "invite.title": "Alika rafiki",
  "invite.code": "Msimbo wako",
  "invite.joined": { one: "{count} amejiunga", other: "{count} wamejiunga" },
  "invite.failed": "Hatukuweza kupata msimbo wako. Gusa ujaribu tena.",
  "invite.message": "Cheza nami kwenye PlayOn. Msimbo wangu wa mwaliko ni {code}.",
  "invite.copied": "Umenakiliwa. Ubandike popote walipo marafiki zako.",
  "invite.notCopied": "Msimbo wako wa mwaliko ni {code}",
} as const satisfies Translation<typeof english>;
