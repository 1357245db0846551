// Addresses with parameters. The first page needs none of them, so they are no part of `paths.ts`.
import { paths } from "@/app/paths";

export function waitingPath(paymentId: string): string {
  return `${paths.waiting}?${new URLSearchParams({ payment: paymentId })}`;
}

export function paymentIdIn(search: string): string | null {
  return new URLSearchParams(search).get("payment");
}

/** The link to invite a friend with. Its utm_source prefills the referral step. */
export function inviteLink(code: string): string {
  return `${window.location.origin}${paths.home}?${new URLSearchParams({ utm_source: code })}`;
}
