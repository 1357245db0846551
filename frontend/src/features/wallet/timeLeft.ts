import { t } from "@/lib/i18n/i18n";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "18 h 20 min", "12 min", "45 s". */
export function timeLeft(ms: number): string {
  if (ms < MINUTE_MS) return t("time.left.s", { seconds: Math.max(0, Math.floor(ms / 1000)) });
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (ms < HOUR_MS) return t("time.left.min", { minutes });
  return t("time.left.h", { hours: Math.floor(ms / HOUR_MS), minutes });
}
