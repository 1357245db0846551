import * as z from "zod/mini";
import { asPlayer } from "@/lib/http/client";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { type OnProgress, upload } from "@/lib/http/upload";
import { payloadOf } from "@/lib/http/wire";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";
import type { Field } from "./model";

/** What of a profile is saved one at a time: the six fields, a currency's code, a country's alpha-2 code. */
export type Editable = Field | "currencyId" | "countryId";

function pathOf(uid: string): string {
  return `/profile/${encodeURIComponent(uid)}`;
}

/** Saves one field. The reply is the whole profile as it now stands. */
export async function updateProfile(uid: string, field: Editable, value: string): Promise<Player> {
  const reply = await asPlayer(pathOf(uid), { method: "PUT", body: { [field]: value } });
  const player = parsePlayer(reply.payload);
  if (!player) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  return player;
}

const uploaded = z.object({ url: z.string() });

/** Makes a picture the player's own. The reply is where it can be seen. */
export async function uploadPicture(uid: string, picture: File, onProgress: OnProgress): Promise<string> {
  const form = new FormData();
  // The fields go ahead of the file, so that the server knows what is coming.
  form.append("id", uid);
  form.append("type", "PROFILE_PICTURE");
  form.append("file", picture);
  return payloadOf(uploaded, await upload("/upload", form, onProgress)).url;
}

/** The word that a player types to say that this is meant. */
export const DELETION_WORD = "DELETE";

/** Begins the end of the account: every session ends at once, the personal details are erased 30 days later. */
export async function deleteAccount(uid: string): Promise<void> {
  await asPlayer(pathOf(uid), { method: "DELETE", body: { confirm: DELETION_WORD } });
}
