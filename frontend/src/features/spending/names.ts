import { serverNow } from "@/lib/clock";
import { formatKes, formatMoment } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import type { Kind, LimitChange, Period } from "./api";

export const kindNames = (): Readonly<Record<Kind, string>> => ({
  MONEY_IN: t("spending.moneyIn"),
  PACKAGES: t("spending.packages"),
});

export const periodNames = (): Readonly<Record<Period, string>> => ({
  DAY: t("spending.DAY"),
  WEEK: t("spending.WEEK"),
  MONTH: t("spending.MONTH"),
});

/** The titles of the sheets. */
export const limitTitles = (): Readonly<Record<Kind, Readonly<Record<Period, string>>>> => ({
  MONEY_IN: {
    DAY: t("spending.title.moneyIn.DAY"),
    WEEK: t("spending.title.moneyIn.WEEK"),
    MONTH: t("spending.title.moneyIn.MONTH"),
  },
  PACKAGES: {
    DAY: t("spending.title.packages.DAY"),
    WEEK: t("spending.title.packages.WEEK"),
    MONTH: t("spending.title.packages.MONTH"),
  },
});

/** Says what a limit becomes, and when. */
export function changeText({ limit, beginsAt }: LimitChange): string {
  const at = formatMoment(new Date(beginsAt), new Date(serverNow()));
  return limit == null ? t("spending.ends", { at }) : t("spending.becomes", { limit: formatKes(limit), at });
}
