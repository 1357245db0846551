import { createHash } from "node:crypto";

/** A tournament as the gateway lists it. */
export interface Tournament {
  id: string;
  name: string;
  gameId: string;
  starts: string;
  ends: string;
  players: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id that players see of an operator's key: a UUID of version 8 from the digest of kind and key. */
export function contentId(kind: string, key: string): string {
  const bytes = createHash("sha256").update(`${kind}/${key}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns the ongoing tournaments among the named ones, those that end first in front. */
export function ongoing(
  list: readonly Tournament[],
  names: readonly string[] | null,
  now: number,
): Tournament[] {
  const ids = names?.map((name) => (UUID.test(name) ? name : contentId("Tournament", name)));
  return list
    .filter(({ id }) => !ids || ids.includes(id))
    .filter(({ starts, ends }) => Date.parse(starts) <= now && now < Date.parse(ends))
    .sort((a, b) => Date.parse(a.ends) - Date.parse(b.ends));
}
