import type { DeleteAccount } from "@/gen/api/deleteAccount";
import type { UpdateProfile } from "@/gen/api/updateProfile";
import { Uploaded as uploaded } from "@/gen/api/uploaded";
import { asPlayer } from "@/lib/http/client";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { type OnProgress, upload } from "@/lib/http/upload";
import { parsePayload } from "@/lib/http/wire";
import { t } from "@/lib/i18n/i18n";
import { type Player, parsePlayer } from "@/lib/session/player";

/** The profile values that can be saved: the six fields, a currency code, or a country's alpha-2 code. */
export type Editable = keyof UpdateProfile;

function pathOf(uid: string): string {
  return `/profile/${encodeURIComponent(uid)}`;
}

/** Saves one value and returns the whole updated profile. */
export async function updateProfile(uid: string, field: Editable, value: string): Promise<Player> {
  const body: UpdateProfile = { [field]: value };
  const reply = await asPlayer(pathOf(uid), { method: "PUT", body });
  const player = parsePlayer(reply.payload);
  if (!player) throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
  return player;
}

/** Uploads a profile picture and returns its URL. */
export async function uploadPicture(uid: string, picture: File, onProgress: OnProgress): Promise<string> {
  const form = new FormData();
  // The fields precede the file, so that the server can check them before it reads the file.
  form.append("id", uid);
  form.append("type", "PROFILE_PICTURE");
  form.append("file", picture);
  return parsePayload(uploaded, await upload("/upload", form, onProgress)).url;
}

/** The word that a player types to confirm the deletion. */
export const DELETION_WORD = "DELETE";

/** Deletes the account: every session ends at once, and personal details are erased after 30 days. */
export async function deleteAccount(uid: string): Promise<void> {
  const body: DeleteAccount = { confirm: DELETION_WORD };
  await asPlayer(pathOf(uid), { method: "DELETE", body });
}
