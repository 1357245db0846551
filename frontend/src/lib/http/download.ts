import { API_BASE } from "@/lib/env";
import { withAuth } from "@/lib/http/client";
import { openEnvelope } from "@/lib/http/envelope";
import { Fault, OFFLINE } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLocale } from "@/lib/i18n/language";
import { timeoutSignal } from "@/lib/platform";

/** Timeout of a file download, which takes longer than other replies. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Fetches a file of the player. @throws Fault for every status other than 200. */
export function fetchFile(path: string): Promise<Blob> {
  return withAuth(async (bearer) => {
    let response: Response;
    try {
      response = await fetch(`${API_BASE}${path}`, {
        headers: { authorization: `Bearer ${bearer}`, "accept-language": currentLocale() },
        signal: timeoutSignal(DOWNLOAD_TIMEOUT_MS),
        credentials: "omit",
      });
    } catch {
      throw new Fault(t("fault.offline"), { code: OFFLINE, status: 0 });
    }
    if (response.ok) return response.blob();
    const body: unknown = await response.json().catch(() => null);
    openEnvelope(path, response.status, (name) => response.headers.get(name), body);
    throw new Fault(t("fault.badReply"), { code: "BAD_REPLY", status: response.status });
  });
}
