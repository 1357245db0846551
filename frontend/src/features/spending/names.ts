import { t } from "@/lib/i18n/i18n";
import type { Kind, Period } from "./api";

export const kindNames = (): Readonly<Record<Kind, string>> => ({
  MONEY_IN: t("spending.moneyIn"),
  PACKAGES: t("spending.packages"),
});

export const periodNames = (): Readonly<Record<Period, string>> => ({
  DAY: t("spending.DAY"),
  WEEK: t("spending.WEEK"),
  MONTH: t("spending.MONTH"),
});

/** What a limit is called in its sheet: 'Limit a day on money in'. */
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
