import { deviceStorage } from "@/lib/storage";

const PARAM = "utm_source";
const STORAGE_KEY = "utm_source";

/** Stores a non-blank utm_source, which prefills the referral step. */
export function storeCampaign(search: string): void {
  const source = new URLSearchParams(search).get(PARAM)?.trim();
  if (source) deviceStorage.setItem(STORAGE_KEY, source);
}

/** The stored utm_source (the inviting player's referral code), or an empty string. */
export function storedCampaign(): string {
  return deviceStorage.getItem(STORAGE_KEY) ?? "";
}
