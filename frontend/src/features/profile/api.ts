import { asPlayer } from "@/lib/http/client";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";
import type { Field } from "./model";

/** Saves one field. The reply is the whole profile as it now stands. */
export async function updateProfile(uid: string, field: Field, value: string): Promise<Player> {
  const path = `/profile/${encodeURIComponent(uid)}`;
  const reply = await asPlayer(path, { method: "PUT", body: { [field]: value } });
  const player = parsePlayer(reply.payload);
  if (!player) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  return player;
}
