/** The signed-in player's profile, as session storage has it. Values that are not set are null. */
export interface Player {
  /** The player's id; `uid` has the same value. */
  readonly id: string;
  readonly uid: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly email: string | null;
  /** YYYY-MM-DD */
  readonly dob: string | null;
  readonly gender: string | null;
  readonly phone: string | null;
  readonly profilePic: string | null;
  readonly currencyId: string | null;
  readonly countryId: string | null;
  readonly chatRooms: readonly string[];
  /** The player's own code for inviting others. */
  readonly referralCode: string | null;
  /** The end of the player's break, which may be over. */
  readonly breakUntil: string | null;
}

/** The profile fields that are required before the rest of the app opens. */
export const REQUIRED_FIELDS = ["name", "username", "email", "dob", "gender", "phone"] as const;

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The fields that are texts, or null. */
const TEXTS = [
  "name",
  "username",
  "email",
  "dob",
  "gender",
  "phone",
  "profilePic",
  "currencyId",
  "countryId",
  "referralCode",
  "breakUntil",
] as const;

/**
 * Parses a profile from a reply or from storage. Written by hand, because the guard runs before the first paint and a
 * validation library would double the code to load.
 */
export function parsePlayer(raw: unknown): Player | null {
  if (typeof raw !== "object" || raw === null) return null;
  const from = raw as Record<string, unknown>;
  const uid = text(from.uid) ?? text(from.id);
  if (uid === null) return null;
  const rooms = from.chatRooms;
  const texts = Object.fromEntries(TEXTS.map((field) => [field, text(from[field])]));
  return {
    ...(texts as Record<(typeof TEXTS)[number], string | null>),
    id: uid,
    uid,
    chatRooms: Array.isArray(rooms) ? rooms.filter((room) => typeof room === "string") : [],
  };
}

export function isComplete(player: Player): boolean {
  return REQUIRED_FIELDS.every((field) => player[field] !== null);
}
