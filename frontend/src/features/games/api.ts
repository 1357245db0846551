import * as z from "zod/mini";
import { asGuest, asPlayer } from "@/lib/http/client";
import { Fault } from "@/lib/http/fault";
import { optional, payloadOf } from "@/lib/http/wire";

const game = z.object({
  id: z.string(),
  name: z.string(),
  packageId: z.string(),
  description: z.string(),
  gameIcon: optional(z.string()),
  featured: optional(z.boolean()),
});
export type Game = z.infer<typeof game>;

export async function fetchGames(): Promise<Game[]> {
  return payloadOf(z.array(game), await asGuest("/games/list"));
}

/** The games played last, or nothing at all where the gateway does not keep them yet. */
export async function fetchRecentGames(): Promise<Game[]> {
  try {
    return payloadOf(z.array(game), await asPlayer("/profile/recent-games"));
  } catch (cause) {
    if (cause instanceof Fault && cause.absent) return [];
    throw cause;
  }
}
