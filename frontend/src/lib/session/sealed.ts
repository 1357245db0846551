import { parseSession, type Session, sealKey } from "@/lib/session/session";

/**
 * A tab that the phone discarded wakes with the refresh token it fell asleep with, which its duplicate may have
 * traded long ago: using it would end the session for both, and the duplicate may be frozen, or gone, and cannot be
 * asked. So whoever renews leaves the newest tokens where all tabs look, sealed with a key that only the tabs of this
 * session hold: what lies there is of no use once they are closed, as a session of the browser's should be.
 */
const STORAGE_KEY = "newest";
const IV_BYTES = 12;

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

async function importedKey(): Promise<CryptoKey | null> {
  const raw = sealKey();
  // Over plain http there is no crypto to seal with; then a tab has what it heard from the others.
  if (raw === null || !crypto.subtle) return null;
  return crypto.subtle.importKey("raw", toBytes(raw), "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Leaves the newest tokens for the other tabs of this session. */
export async function sealNewest(session: Session): Promise<void> {
  const key = await importedKey();
  if (!key) return;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(session));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain));
  localStorage.setItem(STORAGE_KEY, toBase64(new Uint8Array([...iv, ...sealed])));
}

/** What another tab made of this session while this one could not hear of it; null when there is nothing newer. */
export async function newerThan(session: Session): Promise<Session | null> {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    const key = kept === null ? null : await importedKey();
    if (kept === null || !key) return null;
    const bytes = toBytes(kept);
    const iv = bytes.slice(0, IV_BYTES);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes.slice(IV_BYTES));
    const newest = parseSession(JSON.parse(new TextDecoder().decode(plain)));
    const newer = newest?.uid === session.uid && newest.expirationTime > session.expirationTime;
    return newer ? newest : null;
  } catch {
    // Another session's, whose key this tab does not have, or nothing that can be read.
    return null;
  }
}
