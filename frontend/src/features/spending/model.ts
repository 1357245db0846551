import type { Kind, LimitOf, PeriodSpending, Spending } from "./api";

/** The smallest and the largest limit, in KES. */
export const LEAST_LIMIT = 10;
export const MOST_LIMIT = 1_000_000;

export function spendingOf(period: PeriodSpending, kind: Kind): Spending {
  return kind === "MONEY_IN" ? period.moneyIn : period.packages;
}

/** Finds the spending that a limit is about, if it is known. */
export function findSpending(
  periods: readonly PeriodSpending[] | undefined,
  of: LimitOf,
): Spending | undefined {
  const period = periods?.find((each) => each.period === of.period);
  return period && spendingOf(period, of.kind);
}

/** The name of a limit in the navigation state. */
export const overlayOf = ({ kind, period }: LimitOf) => `${kind}/${period}`;

/** The limit that a name in the navigation state stands for. */
export function limitIn(overlay: string | null): LimitOf | null {
  const [, kind, period] = /^(MONEY_IN|PACKAGES)\/(DAY|WEEK|MONTH)$/.exec(overlay ?? "") ?? [];
  return kind && period ? ({ kind, period } as LimitOf) : null;
}

/** Reads the amount that was typed, in KES; returns `null` for what is no limit. */
export function parseLimit(typed: string): number | null {
  const digits = typed.replace(/[\s,]/g, "").replace(/\.0*$/, "");
  const limit = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
  return limit >= LEAST_LIMIT && limit <= MOST_LIMIT ? limit : null;
}
