import { encryptionKey, parseSession, type Session } from "@/lib/session/session";

/**
 * A tab that the phone discarded wakes up with an old refresh token, which its duplicate may have exchanged meanwhile.
 * Using it would end the session for both tabs, and the duplicate may be frozen or closed. Therefore each renewal stores
 * the newest session in local storage, encrypted with a key that only the tabs of this session hold (in session
 * storage). Once they are closed, the stored value can no longer be read.
 */
const STORAGE_KEY = "encryptedSession";
const IV_BYTES = 12;

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

async function importedKey(): Promise<CryptoKey | null> {
  const raw = encryptionKey();
  // Without https there is no crypto.subtle; tabs then share sessions by broadcast only.
  if (raw === null || !crypto.subtle) return null;
  return crypto.subtle.importKey("raw", toBytes(raw), "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Stores the newest session for the other tabs, encrypted. */
export async function storeEncryptedSession(session: Session): Promise<void> {
  const key = await importedKey();
  if (!key) return;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(session));
  const encrypted = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain));
  localStorage.setItem(STORAGE_KEY, toBase64(new Uint8Array([...iv, ...encrypted])));
}

/** The session that another tab stored, if it is newer than this one; otherwise null. */
export async function loadNewerSession(session: Session): Promise<Session | null> {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    const key = stored === null ? null : await importedKey();
    if (stored === null || !key) return null;
    const bytes = toBytes(stored);
    const iv = bytes.slice(0, IV_BYTES);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes.slice(IV_BYTES));
    const newest = parseSession(JSON.parse(new TextDecoder().decode(plain)));
    const newer = newest?.uid === session.uid && newest.expirationTime > session.expirationTime;
    return newer ? newest : null;
  } catch {
    // The value is unreadable, or belongs to another session, whose key this tab does not have.
    return null;
  }
}
