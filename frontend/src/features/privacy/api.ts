import { type DataCopyOutput, DataCopy as dataCopy } from "@/gen/api/dataCopy";
import { asPlayer } from "@/lib/http/client";
import { fetchFile } from "@/lib/http/download";
import { parsePayload } from "@/lib/http/wire";

export type CopyFormat = "html" | "json";

/** The state of the player's copy. */
export async function fetchDataCopyState(): Promise<DataCopyOutput> {
  return parsePayload(dataCopy, await asPlayer("/profile/data-copy"));
}

/** Asks for a copy, or returns the one that there is. */
export async function requestDataCopy(): Promise<DataCopyOutput> {
  return parsePayload(dataCopy, await asPlayer("/profile/data-copy", { method: "POST" }));
}

/** The copy as a file. */
export function fetchDataCopy(format: CopyFormat): Promise<Blob> {
  return fetchFile(`/profile/data-copy/file?${new URLSearchParams({ format })}`);
}
