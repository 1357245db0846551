import { t } from "@/lib/i18n/i18n";

/** The lengths of breaks in days, the shortest first. From half a year on it is self-exclusion. */
const DAYS = { DAY: 1, WEEK: 7, SIX_WEEKS: 42, HALF_YEAR: 183, YEAR: 365, FIVE_YEARS: 1_826 } as const;
export type BreakLength = keyof typeof DAYS;

const DAY_MS = 86_400_000;

/** The lengths that end later than the break that the player is on, if there is one. */
export function lengthsAfter(until: Date | null, now: number): BreakLength[] {
  const lengths = Object.keys(DAYS) as BreakLength[];
  return until ? lengths.filter((length) => now + DAYS[length] * DAY_MS > until.getTime()) : lengths;
}

export const breakNames = (): Readonly<Record<BreakLength, string>> => ({
  DAY: t("break.DAY"),
  WEEK: t("break.WEEK"),
  SIX_WEEKS: t("break.SIX_WEEKS"),
  HALF_YEAR: t("break.HALF_YEAR"),
  YEAR: t("break.YEAR"),
  FIVE_YEARS: t("break.FIVE_YEARS"),
});
