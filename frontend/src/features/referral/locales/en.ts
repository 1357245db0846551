export const texts = {
  "referral.title": "Do you have a referral code?",
  "referral.line": "If a friend invited you to PlayOn, enter their code here.",
  "referral.code": "Enter referral code (optional)",
  "referral.continue": "Continue",
  "referral.without": "Continue without a code",
  "referral.redeemed": "You have already used a referral code.",

  "invite.title": "Invite a friend",
  "invite.code": "Your code",
  "invite.joined": { one: "{count} joined", other: "{count} joined" },
  "invite.failed": "We could not load your code. Tap to try again.",
  "invite.message": "Play with me on PlayOn. My referral code is {code}.",
  "invite.copied": "Copied. Paste it wherever your friends are.",
  "invite.notCopied": "Your referral code is {code}",
} as const;

declare module "@/lib/i18n/i18n" {
  interface Catalogues {
    referral: typeof texts;
  }
}
