import { t } from "@/lib/i18n/i18n";

/** The lengths of breaks, the shortest first. From half a year on it is self-exclusion. */
export const BREAK_LENGTHS = ["DAY", "WEEK", "SIX_WEEKS", "HALF_YEAR", "YEAR", "FIVE_YEARS"] as const;
export type BreakLength = (typeof BREAK_LENGTHS)[number];

export const breakNames = (): Readonly<Record<BreakLength, string>> => ({
  DAY: t("break.DAY"),
  WEEK: t("break.WEEK"),
  SIX_WEEKS: t("break.SIX_WEEKS"),
  HALF_YEAR: t("break.HALF_YEAR"),
  YEAR: t("break.YEAR"),
  FIVE_YEARS: t("break.FIVE_YEARS"),
});
