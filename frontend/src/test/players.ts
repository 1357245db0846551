import type { Player } from "@/lib/session/player";
import type { Session } from "@/lib/session/session";

export function aSession(overrides: Partial<Session> = {}): Session {
  return {
    uid: "p1",
    accessToken: "access-1",
    refreshToken: "refresh-1",
    expirationTime: Date.now() + 15 * 60_000,
    staySignedIn: false,
    ...overrides,
  };
}

export function aPlayer(overrides: Partial<Player> = {}): Player {
  return {
    id: "p1",
    uid: "p1",
    name: "Wanjiru Kamau",
    username: "wanjiru",
    email: "wanjiru@example.com",
    dob: "1996-04-12",
    gender: "FEMALE",
    phone: "+254712345678",
    profilePic: null,
    currencyId: null,
    countryId: null,
    chatRooms: [],
    referralCode: "WANJ24",
    breakUntil: null,
    ...overrides,
  };
}
